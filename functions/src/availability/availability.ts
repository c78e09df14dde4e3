import * as z from 'zod';
import { documentId, FieldError } from '@tattoo-marketplace/endpoints';
import {
  defineCollection,
  optionalRequestTime,
  requestTime,
  storedTime,
  updateOwned,
} from '@tattoo-marketplace/collections';
import { parseWeeklySlots, weeklySlots } from './weeklySlots.ts';

const ROLLING_DAYS_ERROR = 'must be an integer from 1 to 366';

/** From 1 to 366 days, sent as a number or as digits. `null` and an empty string mean not sent. */
const rollingDays = z
  .preprocess((days) => {
    if (days === null || days === '') return undefined;
    return typeof days === 'string' && /^\d{1,3}$/.test(days) ? Number(days) : days;
  }, z.int(ROLLING_DAYS_ERROR).min(1, ROLLING_DAYS_ERROR).max(366, ROLLING_DAYS_ERROR).optional())
  .meta({ override: { type: ['integer', 'null'], minimum: 1, maximum: 366 } })
  .optional();

/** A time that is validated, but not stored. */
const ignoredTime = optionalRequestTime.transform(() => undefined);

/** An artist's schedule in a request. */
export const Availability = z
  .object({
    artistId: documentId.describe('The artist whose schedule it is.'),
    availabilityId: documentId.describe('The id of the schedule.'),
    isActive: z.boolean().describe('True if the schedule is in use.'),
    weeklySlots,
    dateRangeType: z
      .enum(['indefinitely', 'specific', 'rolling'])
      .describe('The type of the date range.'),
    effectiveFrom: requestTime.describe('When the schedule starts, in ms, UTC.'),
    createdAt: ignoredTime.describe('Ignored if it is a time: the stored time does not change.'),
    updatedAt: ignoredTime.describe("Ignored if it is a time: the server's time is stored."),
    effectiveUntil: optionalRequestTime.describe(
      'When the schedule ends, in ms, UTC. Required if `dateRangeType` is `specific`, optional if it is `rolling`: then it must be later than `effectiveFrom`. Not stored if it is `indefinitely`.',
    ),
    rollingDays: rollingDays.describe(
      'The number of days ahead that the schedule covers: an integer from 1 to 366. A string of its digits is accepted too, and an empty string means not sent. Required if `dateRangeType` is `rolling`; otherwise not stored.',
    ),
  })
  .superRefine((schedule, context) => {
    const { dateRangeType, effectiveFrom, effectiveUntil, rollingDays } = schedule;
    const addError = (field: string, message: string) => {
      context.addIssue({ code: 'custom', message, path: [field], input: schedule });
    };
    if (dateRangeType === 'specific' && effectiveUntil === undefined) {
      addError('effectiveUntil', 'is required if dateRangeType is specific');
    }
    const isLimited = dateRangeType !== 'indefinitely' && effectiveUntil !== undefined;
    if (isLimited && effectiveUntil <= effectiveFrom) {
      addError('effectiveUntil', 'must be later than effectiveFrom');
    }
    if (dateRangeType === 'rolling' && rollingDays === undefined) {
      addError('rollingDays', 'is required if dateRangeType is rolling');
    }
  })
  .meta({ id: 'Availability', description: "An artist's schedule." });
export type Availability = z.infer<typeof Availability>;

export const schedules = defineCollection('availability', {
  description: 'The working times of artists.',
  schema: z.object({
    id: z.string(),
    artistId: z.string().optional().describe('The artist whose schedule it is.'),
    isActive: z.boolean().optional().describe('True if the schedule is in use.'),
    weeklySlots: z.looseObject({}).optional().describe('The week: for each day any value.'),
    dateRangeType: Availability.shape.dateRangeType
      .optional()
      .describe('The type of the date range.'),
    effectiveFrom: storedTime.optional().describe('When the schedule starts.'),
    effectiveUntil: storedTime.optional().describe('When the schedule ends.'),
    rollingDays: z.int().optional().describe('The number of days ahead that the schedule covers.'),
    createdAt: storedTime.optional().describe('When the schedule was created.'),
    updatedAt: storedTime.optional().describe('When the schedule was last changed.'),
  }),
  owner: 'artistId',
  indexExemptions: ['weeklySlots'],
});

/**
 * Replaces a schedule of the caller. Throws `not-found` if it does not exist, and `permission-denied` if the stored or the
 * new schedule names another artist.
 */
export async function replaceAvailability(schedule: Availability, callerId: string): Promise<void> {
  const { isActive, weeklySlots, dateRangeType, effectiveFrom, effectiveUntil, rollingDays } =
    schedule;
  const documents = [{ availabilityId: schedule.availabilityId }];
  await updateOwned({ collection: schedules, documents, callerId }, () => {
    if (schedule.artistId !== callerId) {
      const artist = { field: 'artistId', id: schedule.artistId };
      throw new FieldError('permission-denied', artist, 'must be your own id');
    }
    return {
      isActive,
      weeklySlots: parseWeeklySlots(weeklySlots),
      dateRangeType,
      effectiveFrom,
      // An undefined field is removed.
      effectiveUntil: dateRangeType === 'indefinitely' ? undefined : effectiveUntil,
      rollingDays: dateRangeType === 'rolling' ? rollingDays : undefined,
    };
  });
}
