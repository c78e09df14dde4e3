/**
 * What is said about a field that breaks a rule of its endpoint. test/service/refusals.test.ts tries wrong kinds of values in
 * every field, and test/contract has what is accepted, and that a refused body changes nothing.
 */
import { exampleOf, validated } from '@tattoo-marketplace/endpoints';
import { deployedEndpoint } from '../../functions/service.ts';

const FROM = Date.UTC(2026, 5, 1);

/** Validates the example body of a function with other values in some fields. */
function withFields(functionId: string, fields: Fields): unknown {
  const deployed = deployedEndpoint(functionId);
  const { body } = deployed.endpoint.declaration;
  if (body === undefined) throw new Error(`${functionId} has no body.`);
  return validated(body, { ...exampleOf(deployed).body, ...fields }, 'The body');
}

type Fields = Readonly<Record<string, unknown>>;

/** One field with each of these values, and others. */
function each(name: string, values: readonly unknown[], others: Fields = {}): Fields[] {
  return values.map((value) => ({ ...others, [name]: value }));
}

const SPECIFIC = { dateRangeType: 'specific', effectiveFrom: FROM };
const ROLLING = { dateRangeType: 'rolling' };
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const TIME = 'must be a time: a number of milliseconds since the Unix epoch, UTC.';

/** 100 001 bytes. */
const longIds = [
  'é',
  ...Array.from({ length: 39 }, (_, index) => String(index).padEnd(1_000, 'x')),
  'x'.repeat(999),
];

function order(...orders: readonly unknown[]): Fields[] {
  return orders.map((each) => ({ flashUpdates: [{ id: 'a', order: each }] }));
}

/** By function and message, the fields that are refused. */
const REFUSED: Readonly<Record<string, Readonly<Record<string, readonly Fields[]>>>> = {
  'availability-updateAvailability': {
    [`weeklySlots must only have the keys ${DAYS.join(', ')}.`]: [{ weeklySlots: { monday: [] } }],
    'weeklySlots must not have more than 3000 values.': [
      { weeklySlots: { Monday: Array.from({ length: 3000 }, () => 0) } },
    ],
    'weeklySlots must not be longer than 100000 bytes.': [
      { weeklySlots: { Monday: 'x'.repeat(100_000) } },
    ],
    // The place in the week is the caller's own text: it is not repeated.
    'weeklySlots must not have an array directly inside an array.': [
      { weeklySlots: { Monday: { a: [[1]] } } },
    ],
    'weeklySlots must be finite.': [{ weeklySlots: { Monday: [Infinity] } }],
    'dateRangeType must be one of indefinitely, specific, rolling.': [{ dateRangeType: 'forever' }],
    [`effectiveFrom ${TIME}`]: each('effectiveFrom', [-8.640001e15, 8.640001e15]),
    'effectiveUntil is required if dateRangeType is specific.': [
      SPECIFIC,
      { ...SPECIFIC, effectiveUntil: null },
    ],
    'effectiveUntil must be later than effectiveFrom.': [
      { ...SPECIFIC, effectiveUntil: FROM },
      { ...SPECIFIC, dateRangeType: 'rolling', effectiveUntil: FROM },
    ],
    [`effectiveUntil ${TIME}`]: ['rolling', 'specific'].flatMap((dateRangeType) =>
      each('effectiveUntil', ['never', true, 8.640001e15], { ...SPECIFIC, dateRangeType }),
    ),
    'createdAt must be a number.': each('createdAt', ['', false]),
    [`updatedAt ${TIME}`]: each('updatedAt', [8.640001e15]),
    'rollingDays is required if dateRangeType is rolling.': each(
      'rollingDays',
      [undefined, null],
      ROLLING,
    ),
    'rollingDays must be an integer from 1 to 366.': each(
      'rollingDays',
      [0, 367, 1.5, -1, '', '0', '367', '1.5', '1e1', ' 7', '7 ', '0007', true, [7]],
      ROLLING,
    ),
  },
  'flash-reorder': {
    'flashUpdates must have 1 to 500 entries.': [{ flashUpdates: [] }],
    'flashUpdates must have ids of at most 40000 bytes in all.': [
      { flashUpdates: longIds.map((id) => ({ id, order: 1 })) },
    ],
    'flashUpdates[0].id is required.': [{ flashUpdates: [{ order: 1 }] }],
    'flashUpdates[0].order is required.': [{ flashUpdates: [{ id: 'a' }] }],
    'flashUpdates[0].order must be a finite number.': order('1', null, Infinity),
    'flashUpdates[2].id must not be repeated.': [
      { flashUpdates: ['a', 'b', 'a'].map((id) => ({ id, order: 1 })) },
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

describe.each(Object.entries(REFUSED))('%s refuses, and says', (functionId, byMessage) => {
  test.each(Object.entries(byMessage))('%j', (message, all) => {
    for (const fields of all) {
      expect(() => withFields(functionId, fields)).toThrow(
        expect.objectContaining({ code: 'invalid-argument', message }) as Error,
      );
    }
  });
});
