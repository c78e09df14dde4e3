/**
 * What is said about a field that breaks a rule of its endpoint. test/service/rejectedRequests.test.ts tries wrong kinds of values in
 * every field, functions/src/availability/weeklySlots.test.ts has which weeks are rejected, and test/contract that a rejected body changes nothing.
 */
import { getExample } from '@tattoo-marketplace/endpoints';
import { validate } from '../../packages/endpoints/src/request/validate.ts';
import { getEndpoint } from '../../functions/service.ts';

type Fields = Readonly<Record<string, unknown>>;

const FROM = Date.UTC(2026, 5, 1);
const SPECIFIC = { dateRangeType: 'specific', effectiveFrom: FROM };
const TIME = 'must be a time: an integer number of milliseconds since the Unix epoch, UTC.';
const DAYS = 'Sunday, Monday, Tuesday, Wednesday, Thursday, Friday, Saturday';

/** 100 001 bytes. */
const longIds = [
  'é',
  ...Array.from({ length: 39 }, (_, index) => String(index).padEnd(1_000, 'x')),
  'x'.repeat(999),
];

/** Fields, each with all of these values. */
function each(name: string, values: readonly unknown[], others: Fields = {}): Fields[] {
  return values.map((value) => ({ ...others, [name]: value }));
}

const updates = (...all: readonly Fields[]) => ({ flashUpdates: all });
const tooMany = Array.from({ length: 501 }, (_each, index) => ({ id: `${index}`, order: 1 }));

/** By function, what is said, and of which fields. */
const INVALID_BODIES: Readonly<Record<string, Readonly<Record<string, readonly Fields[]>>>> = {
  'availability-updateAvailability': {
    [`weeklySlots must only have the keys ${DAYS}.`]: [{ weeklySlots: { monday: [] } }],
    // The place in the week is the caller's own text: it is not repeated.
    'weeklySlots must not have an array directly inside an array.': [
      { weeklySlots: { Monday: { a: [[1]] } } },
    ],
    [`effectiveFrom ${TIME}`]: each('effectiveFrom', [
      -8.640001e15,
      8.640001e15,
      FROM + 0.5,
      1e300,
      '1',
    ]),
    'effectiveUntil is required if dateRangeType is specific.': [SPECIFIC],
    'effectiveUntil must be later than effectiveFrom.': [{ ...SPECIFIC, effectiveUntil: FROM }],
    [`effectiveUntil ${TIME}`]: ['specific', 'rolling', 'indefinitely'].flatMap((dateRangeType) =>
      each('effectiveUntil', ['never', true, 8.640001e15, 0.5], { dateRangeType }),
    ),
    'rollingDays is required if dateRangeType is rolling.': each('rollingDays', [
      undefined,
      null,
      '',
    ]),
    'rollingDays must be an integer from 1 to 366.': each('rollingDays', [
      0,
      367,
      1.5,
      -1,
      '0',
      '367',
      '1.5',
      '1e1',
      ' 7',
      '7 ',
      '0007',
      true,
      [7],
    ]),
  },
  'flash-reorder': {
    'flashUpdates must have 1 to 500 entries.': [updates(), updates(...tooMany)],
    'flashUpdates must have ids of at most 40000 bytes in all.': [
      updates(...longIds.map((id) => ({ id, order: 1 }))),
    ],
    'flashUpdates[0].order is required.': [updates({ id: 'a' })],
    'flashUpdates[0].order must be a finite number.': ['1', null, Infinity].map((order) =>
      updates({ id: 'a', order }),
    ),
    'flashUpdates[2].id must not be repeated.': [
      updates(...['a', 'b', 'a'].map((id) => ({ id, order: 1 }))),
    ],
  },
  'gallery-removePhotos': {
    'photoIds must have ids of at most 40000 bytes in all.': [{ photoIds: longIds }],
  },
  'unavailableEvents-editUnavailableEvent': {
    'title must have 1 to 200 characters.': each('title', ['', 'x'.repeat(201), '🖋'.repeat(201)]),
    'title must be valid Unicode.': [{ title: 'a\udc00' }],
    'endTime must be later than startTime.': each('endTime', [FROM, FROM - 1], { startTime: FROM }),
  },
};

describe.each(Object.entries(INVALID_BODIES))('%s rejects, and says', (functionId, byMessage) => {
  test.each(Object.entries(byMessage))('%j', (message, all) => {
    const deployed = getEndpoint(functionId);
    const schema = deployed.endpoint.declaration.body;
    if (schema === undefined) throw new Error(`${functionId} has no body.`);
    for (const fields of all) {
      const body = { ...getExample(deployed).body, ...fields };
      expect(() => validate(schema, body, 'The body')).toThrow(
        expect.objectContaining({ code: 'invalid-argument', message }) as Error,
      );
    }
  });
});
