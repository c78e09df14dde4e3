/**
 * Which bodies the endpoints accept, and what they say about the others. test/service/contract sees that a refused body
 * changes nothing.
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

type Fields = Readonly<Record<string, unknown>>;
type Accepted = readonly (readonly [fields: Fields])[];
type Refused = readonly (readonly [fields: Fields, message: string])[];

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
      [{ dateRangeType: 'indefinitely', rollingDays: undefined }],
      [{ ...SPECIFIC, effectiveUntil: FROM + 1 }],
      [{ ...ROLLING, rollingDays: 1 }],
      [{ ...ROLLING, rollingDays: 366 }],
      [{ ...ROLLING, rollingDays: '366' }],
      [{ ...SPECIFIC, effectiveUntil: FROM + 1, rollingDays: 'some' }],
      [{ dateRangeType: 'indefinitely', effectiveUntil: null, rollingDays: null }],
      [{ effectiveFrom: -8.64e15 }],
      [{ effectiveFrom: 8.64e15 }],
      [{ weeklySlots: {} }],
      [
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
      [{ artistId: 'a/b' }, matching(/^artistId must be an id: 1 to 1500 bytes, /)],
      [{ availabilityId: '..' }, matching(/^availabilityId must be an id: /)],
      [{ isActive: 'true' }, 'isActive must be true or false.'],
      [{ weeklySlots: undefined }, 'weeklySlots is required.'],
      [{ weeklySlots: null }, 'weeklySlots must be an object.'],
      [{ weeklySlots: 'a' }, 'weeklySlots must be an object.'],
      [{ weeklySlots: [] }, 'weeklySlots must be an object.'],
      [
        { weeklySlots: { monday: [] } },
        'weeklySlots must only have the keys Sunday, Monday, Tuesday, Wednesday, Thursday, Friday, Saturday.',
      ],
      [
        { weeklySlots: { Monday: { a: [[1]] } } },
        'weeklySlots.Monday.a[0] must not be an array directly inside an array.',
      ],
      [
        { weeklySlots: { Monday: Array.from({ length: 5000 }, () => 0) } },
        'weeklySlots must not have more than 5000 values.',
      ],
      [
        { weeklySlots: { Monday: 'x'.repeat(100_000) } },
        'weeklySlots must not be longer than 100000 bytes.',
      ],
      // A path has at most five names, and none of more than 40 characters.
      [
        { weeklySlots: { Monday: { a: { b: { c: { d: [Infinity] } } } } } },
        'weeklySlots.Monday.a.b.c.d must be finite.',
      ],
      [
        { weeklySlots: { Monday: { ['k'.repeat(40)]: Infinity } } },
        `weeklySlots.Monday.${'k'.repeat(40)} must be finite.`,
      ],
      [
        { weeklySlots: { Monday: { ['k'.repeat(41)]: Infinity } } },
        'weeklySlots.Monday must be finite.',
      ],
      [
        { dateRangeType: 'forever' },
        'dateRangeType must be one of indefinitely, specific, rolling.',
      ],
      [{ effectiveFrom: '1' }, 'effectiveFrom must be a number.'],
      [{ effectiveFrom: -8.640001e15 }, matching(/^effectiveFrom must be a time: a number /)],
      [{ effectiveFrom: 8.640001e15 }, matching(/^effectiveFrom must be a time: a number /)],
      [{ createdAt: null }, 'createdAt must be a number.'],
      [{ updatedAt: {} }, 'updatedAt must be a number.'],
      [{ ...SPECIFIC }, 'effectiveUntil is required if dateRangeType is specific.'],
      [
        { ...SPECIFIC, effectiveUntil: null },
        'effectiveUntil is required if dateRangeType is specific.',
      ],
      [{ ...SPECIFIC, effectiveUntil: FROM }, 'effectiveUntil must be later than effectiveFrom.'],
      ...[undefined, null].map(
        (rollingDays) =>
          [
            { ...ROLLING, rollingDays },
            'rollingDays is required if dateRangeType is rolling.',
          ] as const,
      ),
      ...[0, 367, 1.5, -1, '', '0', '367', '1.5', '1e1', ' 7', '7 ', '0007', true, [7]].map(
        (rollingDays) => [{ ...ROLLING, rollingDays }, EXPECTED_DAYS] as const,
      ),
    ],
  },
  {
    functionId: 'bookings-deleteSession',
    accepted: [[{ sessionNumber: 1.5 }], [{ sessionNumber: -1 }]],
    refused: [
      [{ bookingId: 'a/b' }, matching(/^bookingId must be an id: /)],
      [{ bookingId: 7 }, 'bookingId must be a string.'],
      [{ sessionNumber: '1' }, 'sessionNumber must be a number.'],
    ],
  },
  {
    functionId: 'flash-markAsAvailable',
    accepted: [[{ flashIds: ['a', 'a'] }]],
    refused: [
      [{ flashIds: 'a' }, 'flashIds must be an array.'],
      [{ flashIds: [] }, 'flashIds must have 1 to 500 ids.'],
      [{ flashIds: ['a', 7] }, 'flashIds[1] must be a string.'],
    ],
  },
  {
    functionId: 'flash-reorder',
    accepted: [
      [{ flashUpdates: [{ id: 'a', order: 0 }] }],
      [{ flashUpdates: [{ id: 'a', order: Number.MAX_SAFE_INTEGER }] }],
    ],
    refused: [
      [{ flashUpdates: [null] }, 'flashUpdates[0] must be an object.'],
      [{ flashUpdates: [{ order: 1 }] }, 'flashUpdates[0].id is required.'],
      [
        { flashUpdates: [{ id: 'a', order: 2 ** 53 }] },
        'flashUpdates[0].order must be at most 9007199254740991.',
      ],
      [{ flashUpdates: [{ id: 'a' }] }, 'flashUpdates[0].order is required.'],
      ...['1', -1, 0.5].map(
        (order) => [{ flashUpdates: [{ id: 'a', order }] }, EXPECTED_ORDER] as const,
      ),
      [{ flashUpdates: [] }, 'flashUpdates must have 1 to 500 entries.'],
      [
        { flashUpdates: ['a', 'b', 'a'].map((id) => ({ id, order: 1 })) },
        'flashUpdates[2].id must not be repeated.',
      ],
    ],
  },
  {
    functionId: 'unavailableEvents-editUnavailableEvent',
    accepted: [[{ title: 'x' }], [{ title: 'é'.repeat(200) }], [{ title: '🖋'.repeat(200) }]],
    refused: [
      [{ title: '' }, EXPECTED_TITLE],
      [{ title: 'x'.repeat(201) }, EXPECTED_TITLE],
      [{ title: '🖋'.repeat(201) }, EXPECTED_TITLE],
      [{ title: 7 }, 'title must be a string.'],
      [{ title: 'a\udc00' }, 'title must be valid Unicode.'],
      [{ date: '2026-06-01' }, 'date must be a number.'],
      [{ startTime: null }, 'startTime must be a number.'],
      [{ startTime: FROM, endTime: FROM }, 'endTime must be later than startTime.'],
      [{ startTime: FROM, endTime: FROM - 1 }, 'endTime must be later than startTime.'],
    ],
  },
])('$functionId', ({ functionId, accepted, refused }) => {
  test.each(accepted)('accepts %j', (fields) => {
    expect(withFields(functionId, fields)).toMatchObject(
      Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
    );
  });

  test.each(refused)('refuses %j', (fields, message) => {
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
