/**
 * Tests the error messages for fields that violate the rules of an endpoint. rejectedRequests.test.ts tests values of the wrong
 * type in every field, functions/src/availability/weeklySlots.test.ts tests which weeks are rejected, and test/contract tests
 * that a rejected body has no side effects.
 */
import { getExample } from '@tattoo-marketplace/endpoints';
import { validate } from '../../packages/endpoints/src/schemas/validate.ts';
import { getEndpoint } from '../../functions/service.ts';

type RequestFields = Readonly<Record<string, unknown>>;

const FROM = Date.UTC(2026, 5, 1);
const SPECIFIC = { dateRangeType: 'specific', effectiveFrom: FROM };
const TIME = 'must be a time: an integer number of milliseconds since the Unix epoch, UTC.';
const DAYS = 'Sunday, Monday, Tuesday, Wednesday, Thursday, Friday, Saturday';

/** Ids whose sizes add up to 40 001 bytes, one more than the maximum. */
const longIds = [
  'é',
  ...Array.from({ length: 39 }, (_, index) => String(index).padEnd(1_000, 'x')),
  'x'.repeat(999),
];

/** Creates fields for each value: the value itself, and the other fields. */
function createFields(
  name: string,
  values: readonly unknown[],
  otherFields: RequestFields = {},
): RequestFields[] {
  return values.map((value) => ({ ...otherFields, [name]: value }));
}

const createUpdates = (...flashUpdates: readonly RequestFields[]) => ({ flashUpdates });
const tooManyUpdates = Array.from({ length: 501 }, (_, index) => ({ id: `${index}`, order: 1 }));

/** The invalid fields, by function and by the expected message. */
const INVALID_FIELDS: Readonly<Record<string, Readonly<Record<string, readonly RequestFields[]>>>> =
  {
    'availability-updateAvailability': {
      [`weeklySlots must only have the keys ${DAYS}.`]: [{ weeklySlots: { monday: [] } }],
      // The message does not repeat the keys of the week, which the client has chosen.
      'weeklySlots must not have an array directly inside an array.': [
        { weeklySlots: { Monday: { a: [[1]] } } },
      ],
      [`effectiveFrom ${TIME}`]: createFields('effectiveFrom', [
        -8.640001e15,
        8.640001e15,
        FROM + 0.5,
        1e300,
        '1',
      ]),
      'effectiveUntil is required if dateRangeType is specific.': [SPECIFIC],
      'effectiveUntil must be later than effectiveFrom.': [{ ...SPECIFIC, effectiveUntil: FROM }],
      [`effectiveUntil ${TIME}`]: ['specific', 'rolling', 'indefinitely'].flatMap((dateRangeType) =>
        createFields('effectiveUntil', ['never', true, 8.640001e15, 0.5], { dateRangeType }),
      ),
      'rollingDays is required if dateRangeType is rolling.': createFields('rollingDays', [
        undefined,
        null,
        '',
      ]),
      'rollingDays must be an integer from 1 to 366.': createFields('rollingDays', [
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
      'flashUpdates must have 1 to 500 entries.': [
        createUpdates(),
        createUpdates(...tooManyUpdates),
      ],
      'flashUpdates must have ids of at most 40000 bytes in all.': [
        createUpdates(...longIds.map((id) => ({ id, order: 1 }))),
      ],
      'flashUpdates[0].order is required.': [createUpdates({ id: 'a' })],
      'flashUpdates[0].order must be a finite number.': ['1', null, Infinity].map((order) =>
        createUpdates({ id: 'a', order }),
      ),
      'flashUpdates[2].id must not be repeated.': [
        createUpdates(...['a', 'b', 'a'].map((id) => ({ id, order: 1 }))),
      ],
    },
    'gallery-removePhotos': {
      'photoIds must have ids of at most 40000 bytes in all.': [{ photoIds: longIds }],
    },
    'unavailableEvents-editUnavailableEvent': {
      'title must have 1 to 200 characters.': createFields('title', [
        '',
        'x'.repeat(201),
        '🖋'.repeat(201),
      ]),
      'title must be valid Unicode.': [{ title: 'a\udc00' }],
      'endTime must be later than startTime.': createFields('endTime', [FROM, FROM - 1], {
        startTime: FROM,
      }),
    },
  };

describe.each(Object.entries(INVALID_FIELDS))(
  '%s rejects a body with the message',
  (functionId, fieldsByMessage) => {
    test.each(Object.entries(fieldsByMessage))('%j', (message, invalidFields) => {
      const deployed = getEndpoint(functionId);
      const schema = deployed.endpoint.declaration.body;
      if (schema === undefined) throw new Error(`${functionId} has no body.`);
      for (const fields of invalidFields) {
        const body = { ...getExample(deployed).body, ...fields };
        expect(() => validate(schema, body, 'The body')).toThrow(
          expect.objectContaining({ code: 'invalid-argument', message }) as Error,
        );
      }
    });
  },
);
