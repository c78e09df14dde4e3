import * as z from 'zod';
import { documentId, FieldError } from '@tattoo-marketplace/endpoints';
import {
  defineCollection,
  TIME_ERROR_MESSAGE,
  MAX_TIME,
  optionalRequestTime,
  requestTime,
  storedTime,
  updateOwned,
} from '@tattoo-marketplace/collections';
import { MAX_WEEK_BYTES, MAX_WEEK_VALUES, findStorageProblem } from './weeklySlots.ts';

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/**
 * A field that only some schedules use. An invalid value becomes `'invalid'`, and is an error only
 * where the field is used. The value itself is dropped, because it may be large.
 */
function ifUsed(read: (schedule: unknown) => number | undefined, documented: object) {
  return z
    .unknown()
    .meta({ override: { type: ['integer', 'null'], ...documented } })
    .transform((schedule) =>
      schedule === undefined || schedule === null ? undefined : (read(schedule) ?? NaN),
    )
    .optional();
}

const effectiveUntil = ifUsed((schedule) => requestTime.safeParse(schedule).data, {
  format: 'int64',
  ...{ minimum: -MAX_TIME, maximum: MAX_TIME },
});

/** From 1 to 366 days, sent as a number or as digits. */
const rollingDays = ifUsed(
  (schedule) => {
    const days =
      typeof schedule === 'string' && /^\d{1,3}$/.test(schedule) ? Number(schedule) : schedule;
    return z.int().min(1).max(366).safeParse(days).data;
  },
  { minimum: 1, maximum: 366 },
);

/** Validated, but not used. */
const ignoredTime = optionalRequestTime.transform(() => undefined);

/** The request schema of the week. Validated in a single pass that stops at the first error. */
const weeklySlots = z
  .custom<Record<string, unknown>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    { error: ({ input }) => (input === undefined ? 'is required' : 'must be an object') },
  )
  .meta({
    override: { type: 'object', propertyNames: { enum: DAYS }, additionalProperties: true },
    description: `The week: for each day (\`Sunday\` … \`Saturday\`) any JSON except an array directly inside an array. At most ${MAX_WEEK_VALUES} values (each object, each array and each value in them counts) and ${MAX_WEEK_BYTES} bytes of JSON in total.`,
  })
  .superRefine((slots, context) => {
    const hasOnlyDays = Object.keys(slots).every((day) => DAYS.includes(day));
    const message = hasOnlyDays
      ? findStorageProblem(slots)
      : `must only have the keys ${DAYS.join(', ')}`;
    if (message !== undefined) context.addIssue({ code: 'custom', message, input: slots });
  })
  // Kept as JSON text until it is stored: the parsed objects can take far more memory.
  .transform((slots) => JSON.stringify(slots));

/** An artist's schedule as callers send it. */
export const Availability = z
  .object({
    artistId: documentId.describe('The artist whose schedule it is.'),
    availabilityId: documentId.describe('The id of the schedule.'),
    isActive: z.boolean().describe('Whether the schedule is in use.'),
    weeklySlots,
    dateRangeType: z
      .enum(['indefinitely', 'specific', 'rolling'])
      .describe('How the dates of the schedule are limited.'),
    effectiveFrom: requestTime.describe('When the schedule starts, in ms, UTC.'),
    createdAt: ignoredTime.describe('Ignored if it is a time: the stored one does not change.'),
    updatedAt: ignoredTime.describe("Ignored if it is a time: the server's is stored."),
    effectiveUntil: effectiveUntil.describe(
      'When the schedule ends, in ms, UTC; later than `effectiveFrom`. Required if `dateRangeType` is `specific`, ignored if it is `indefinitely`.',
    ),
    rollingDays: rollingDays.describe(
      'How many days ahead the schedule reaches: an integer from 1 to 366. A string of its digits is accepted too. Required if `dateRangeType` is `rolling`; otherwise an invalid value is ignored.',
    ),
  })
  .superRefine((schedule, context) => {
    const { dateRangeType, effectiveFrom, effectiveUntil, rollingDays } = schedule;
    const addError = (field: string, message: string) => {
      context.addIssue({ code: 'custom', message, path: [field], input: schedule });
    };
    if (dateRangeType === 'specific' && effectiveUntil === undefined) {
      addError('effectiveUntil', 'is required if dateRangeType is specific');
    } else if (dateRangeType !== 'indefinitely' && effectiveUntil !== undefined) {
      if (Number.isNaN(effectiveUntil)) addError('effectiveUntil', TIME_ERROR_MESSAGE);
      else if (effectiveUntil <= effectiveFrom) {
        addError('effectiveUntil', 'must be later than effectiveFrom');
      }
    }
    if (dateRangeType === 'rolling') {
      if (rollingDays === undefined) {
        addError('rollingDays', 'is required if dateRangeType is rolling');
      } else if (Number.isNaN(rollingDays)) {
        addError('rollingDays', 'must be an integer from 1 to 366');
      }
    }
  })
  .meta({ id: 'Availability', description: "An artist's schedule." });
export type Availability = z.infer<typeof Availability>;

const schedules = defineCollection('availability', {
  description: 'When an artist works.',
  schema: z.object({
    id: z.string(),
    artistId: z.string().optional().describe('The artist whose schedule it is.'),
    isActive: z.boolean().optional().describe('Whether the schedule is in use.'),
    weeklySlots: z.object({}).optional().describe('The week: for each day any value.'),
    dateRangeType: Availability.shape.dateRangeType
      .optional()
      .describe('How the dates of the schedule are limited.'),
    effectiveFrom: storedTime.optional().describe('When the schedule starts.'),
    effectiveUntil: storedTime.optional().describe('When the schedule ends.'),
    rollingDays: z.int().optional().describe('How many days ahead the schedule reaches.'),
    createdAt: storedTime.optional().describe('When the schedule was created.'),
    updatedAt: storedTime.optional().describe('When the schedule was last changed.'),
  }),
  owner: 'artistId',
  indexExemptions: ['weeklySlots'],
});

/**
 * Replaces a schedule of the caller. Throws `not-found` if it does not exist, and `permission-denied` if the stored one
 * or the one sent belongs to another artist.
 */
export async function replaceAvailability(schedule: Availability, caller: string): Promise<void> {
  const { isActive, weeklySlots, dateRangeType, effectiveFrom, effectiveUntil, rollingDays } =
    schedule;
  const named = [{ id: schedule.availabilityId, field: 'availabilityId' }];
  await updateOwned({ collection: schedules, documents: named, caller }, () => {
    if (schedule.artistId !== caller) {
      const named = { field: 'artistId', id: schedule.artistId };
      throw new FieldError('permission-denied', named, 'must be your own id');
    }
    return {
      isActive,
      weeklySlots: JSON.parse(weeklySlots) as unknown,
      dateRangeType,
      effectiveFrom,
      // An undefined field is removed.
      effectiveUntil: dateRangeType === 'indefinitely' ? undefined : effectiveUntil,
      rollingDays: Number.isNaN(rollingDays) ? undefined : rollingDays,
    };
  });
}
