/**
 * Which bodies the endpoints accept, and what they say about the others. The emulator tests of an endpoint see that a
 * refused body changes nothing.
 */
import { deployedEndpoints, exampleOf } from '../support/deployMap.ts';
import { validated } from '../../functions/src/http/validation.ts';

const FROM = Date.UTC(2026, 5, 1);

/** Validates the example body of a function with other values in some fields. */
function withFields(functionId: string, fields: Readonly<Record<string, unknown>>): unknown {
  const deployed = deployedEndpoints.find((each) => each.functionId === functionId);
  if (deployed === undefined) throw new Error(`There is no function ${functionId}.`);
  const { body } = deployed.endpoint.declaration;
  if (body === undefined) throw new Error(`${functionId} has no body.`);
  return validated(body, { ...exampleOf(deployed).body, ...fields }, 'The body');
}

type Accepted = readonly (readonly [what: string, fields: Readonly<Record<string, unknown>>])[];
type Refused = readonly (readonly [
  what: string,
  fields: Readonly<Record<string, unknown>>,
  message: string,
])[];

/** A message that is too long to repeat here. */
function matching(start: RegExp): string {
  return expect.stringMatching(start) as string;
}

const SPECIFIC = { dateRangeType: 'specific', effectiveFrom: FROM };
const ROLLING = { dateRangeType: 'rolling' };
const EXPECTED_DAYS = 'rollingDays must be an integer from 1 to 366.';
const EXPECTED_TITLE = 'title must have 1 to 200 characters.';
const EXPECTED_ORDER = 'flashUpdates[0].order must be an integer of 0 or more.';

describe.each<{ functionId: string; accepted: Accepted; refused: Refused }>([
  {
    functionId: 'availability-updateAvailability',
    accepted: [
      ['no limit of the dates', { dateRangeType: 'indefinitely', rollingDays: undefined }],
      ['an end just after the start', { ...SPECIFIC, effectiveUntil: FROM + 1 }],
      ['1 day', { ...ROLLING, rollingDays: 1 }],
      ['366 days', { ...ROLLING, rollingDays: 366 }],
      ['days as text', { ...ROLLING, rollingDays: '366' }],
      [
        'any days for another kind of schedule',
        { ...SPECIFIC, effectiveUntil: FROM + 1, rollingDays: 'some' },
      ],
      ['null for both', { dateRangeType: 'indefinitely', effectiveUntil: null, rollingDays: null }],
      ['the earliest time', { effectiveFrom: -8.64e15 }],
      ['the latest time', { effectiveFrom: 8.64e15 }],
      ['an empty week', { weeklySlots: {} }],
      [
        'each day of the week',
        {
          weeklySlots: Object.fromEntries(
            ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'].map(
              (day) => [day, null],
            ),
          ),
        },
      ],
    ],
    refused: [
      [
        'an id with a slash',
        { artistId: 'a/b' },
        matching(/^artistId must be an id: 1 to 1500 bytes, /),
      ],
      ['two dots for an id', { availabilityId: '..' }, matching(/^availabilityId must be an id: /)],
      ['text for a boolean', { isActive: 'true' }, 'isActive must be true or false.'],
      ['no week', { weeklySlots: undefined }, 'weeklySlots is required.'],
      ['null for the week', { weeklySlots: null }, 'weeklySlots must be an object.'],
      ['text for the week', { weeklySlots: 'a' }, 'weeklySlots must be an object.'],
      ['a list for the week', { weeklySlots: [] }, 'weeklySlots must be an object.'],
      [
        'an unknown day',
        { weeklySlots: { monday: [] } },
        'weeklySlots must only have the keys Sunday, Monday, Tuesday, Wednesday, Thursday, Friday, Saturday.',
      ],
      [
        'a list in a list',
        { weeklySlots: { Monday: { a: [[1]] } } },
        'weeklySlots.Monday.a[0] must not be an array directly inside an array.',
      ],
      [
        'something wrong on the sixth level, whose path is cut to five',
        { weeklySlots: { Monday: { a: { b: { c: { d: [Infinity] } } } } } },
        'weeklySlots.Monday.a.b.c.d must be finite.',
      ],
      [
        'something wrong below a key of 40 characters',
        { weeklySlots: { Monday: { ['k'.repeat(40)]: Infinity } } },
        `weeklySlots.Monday.${'k'.repeat(40)} must be finite.`,
      ],
      [
        'something wrong below a longer key, which is left out',
        { weeklySlots: { Monday: { ['k'.repeat(41)]: Infinity } } },
        'weeklySlots.Monday must be finite.',
      ],
      [
        'an unknown kind of schedule',
        { dateRangeType: 'forever' },
        'dateRangeType must be one of indefinitely, specific, rolling.',
      ],
      ['text for a time', { effectiveFrom: '1' }, 'effectiveFrom must be a number.'],
      [
        'a time too early',
        { effectiveFrom: -8.640001e15 },
        matching(/^effectiveFrom must be a time: a number /),
      ],
      [
        'a time too late',
        { effectiveFrom: 8.640001e15 },
        matching(/^effectiveFrom must be a time: a number /),
      ],
      ['null for a time', { createdAt: null }, 'createdAt must be a number.'],
      ['an object for a time', { updatedAt: {} }, 'updatedAt must be a number.'],
      ['no end', { ...SPECIFIC }, 'effectiveUntil is required if dateRangeType is specific.'],
      [
        'null for the end',
        { ...SPECIFIC, effectiveUntil: null },
        'effectiveUntil is required if dateRangeType is specific.',
      ],
      [
        'an end that is the start',
        { ...SPECIFIC, effectiveUntil: FROM },
        'effectiveUntil must be later than effectiveFrom.',
      ],
      ...[undefined, null].map(
        (rollingDays) =>
          [
            `${String(rollingDays)} for the days`,
            { ...ROLLING, rollingDays },
            'rollingDays is required if dateRangeType is rolling.',
          ] as const,
      ),
      ...[0, 367, 1.5, -1, '', '0', '367', '1.5', '1e1', ' 7', '7 ', '0007', true, [7]].map(
        (rollingDays) =>
          [
            `${JSON.stringify(rollingDays)} days`,
            { ...ROLLING, rollingDays },
            EXPECTED_DAYS,
          ] as const,
      ),
    ],
  },
  {
    functionId: 'bookings-deleteSession',
    accepted: [
      ['a number that is not whole', { sessionNumber: 1.5 }],
      ['a negative number', { sessionNumber: -1 }],
    ],
    refused: [
      ['an id with a slash', { bookingId: 'a/b' }, matching(/^bookingId must be an id: /)],
      ['a number for the id', { bookingId: 7 }, 'bookingId must be a string.'],
      ['text for the number', { sessionNumber: '1' }, 'sessionNumber must be a number.'],
    ],
  },
  {
    functionId: 'flash-markAsAvailable',
    accepted: [['an id twice', { flashIds: ['a', 'a'] }]],
    refused: [
      ['text', { flashIds: 'a' }, 'flashIds must be an array.'],
      ['no id', { flashIds: [] }, 'flashIds must have 1 to 500 ids.'],
      ['a number', { flashIds: ['a', 7] }, 'flashIds[1] must be a string.'],
    ],
  },
  {
    functionId: 'flash-reorder',
    accepted: [
      ['0', { flashUpdates: [{ id: 'a', order: 0 }] }],
      ['the largest whole number', { flashUpdates: [{ id: 'a', order: Number.MAX_SAFE_INTEGER }] }],
    ],
    refused: [
      ['null', { flashUpdates: [null] }, 'flashUpdates[0] must be an object.'],
      ['no id', { flashUpdates: [{ order: 1 }] }, 'flashUpdates[0].id is required.'],
      [
        'an order that JavaScript cannot represent exactly',
        { flashUpdates: [{ id: 'a', order: 2 ** 53 }] },
        'flashUpdates[0].order must be at most 9007199254740991.',
      ],
      ['no order', { flashUpdates: [{ id: 'a' }] }, 'flashUpdates[0].order is required.'],
      ...['1', -1, 0.5].map(
        (order) =>
          [
            `${JSON.stringify(order)} for the order`,
            { flashUpdates: [{ id: 'a', order }] },
            EXPECTED_ORDER,
          ] as const,
      ),
      ['no entry', { flashUpdates: [] }, 'flashUpdates must have 1 to 500 entries.'],
      [
        'an id twice',
        { flashUpdates: ['a', 'b', 'a'].map((id) => ({ id, order: 1 })) },
        'flashUpdates[2].id must not be repeated.',
      ],
    ],
  },
  {
    functionId: 'unavailableEvents-editUnavailableEvent',
    accepted: [
      ['a title of one character', { title: 'x' }],
      ['a title of 200 letters', { title: 'é'.repeat(200) }],
      ['a title of 200 pictures', { title: '🖋'.repeat(200) }],
    ],
    refused: [
      ['an empty title', { title: '' }, EXPECTED_TITLE],
      ['a title of 201 letters', { title: 'x'.repeat(201) }, EXPECTED_TITLE],
      ['a title of 201 pictures', { title: '🖋'.repeat(201) }, EXPECTED_TITLE],
      ['a number for the title', { title: 7 }, 'title must be a string.'],
      ['broken Unicode', { title: 'a\udc00' }, 'title must be valid Unicode.'],
      ['text for the day', { date: '2026-06-01' }, 'date must be a number.'],
      ['null for a time', { startTime: null }, 'startTime must be a number.'],
      ['no length', { startTime: FROM, endTime: FROM }, 'endTime must be later than startTime.'],
      [
        'an end before the start',
        { startTime: FROM, endTime: FROM - 1 },
        'endTime must be later than startTime.',
      ],
    ],
  },
])('$functionId', ({ functionId, accepted, refused }) => {
  test.each(accepted)('accepts %s', (_what, fields) => {
    expect(withFields(functionId, fields)).toMatchObject(
      Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
    );
  });

  test.each(refused)('refuses %s', (_what, fields, message) => {
    expect(() => withFields(functionId, fields)).toThrow(
      expect.objectContaining({ code: 'invalid-argument', message }) as Error,
    );
  });
});

test('a negative 0 is stored as 0', () => {
  const flashUpdates = [{ id: 'a', order: -0 }];

  expect(withFields('flash-reorder', { flashUpdates })).toEqual({
    flashUpdates: [{ id: 'a', order: 0 }],
  });
});
