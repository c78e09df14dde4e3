import { FieldValue } from 'firebase-admin/firestore';
import { HttpsError } from 'firebase-functions/https';
import * as z from 'zod';
import { documentId } from '../documentId.ts';
import { firestore } from '../firestore.ts';
import { readOwned } from '../ownership.ts';
import { sentTime } from '../sentTime.ts';
import { storedSize, unstorable } from './storableJson.ts';
import { inTransaction } from '../transaction.ts';

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
/** What a document may hold, 1 MiB, with room for the other fields and its name. */
const MAX_SLOTS_BYTES = 1_000_000;

const ROLLING_DAYS = 'must be an integer from 1 to 366';
const rollingDays = z
  .union(
    [
      z.number(),
      z
        .string()
        .regex(/^\d{1,3}$/, ROLLING_DAYS)
        .transform(Number),
    ],
    ROLLING_DAYS,
  )
  .refine((days) => Number.isInteger(days) && days >= 1 && days <= 366, ROLLING_DAYS)
  .meta({
    override: {
      anyOf: [
        { type: 'integer', minimum: 1, maximum: 366 },
        { type: 'string', pattern: '^\\d{1,3}$' },
      ],
    },
  });

const weeklySlots = z
  .record(z.string(), z.unknown())
  .superRefine((slots, context) => {
    const refuse = (message: string, path: PropertyKey[] = []) => {
      context.addIssue({ code: 'custom', message, path, input: slots });
    };
    if (Object.keys(slots).some((day) => !DAYS.includes(day))) {
      refuse(`must have no other keys than ${DAYS.join(', ')}`);
      return;
    }
    // The slots are a level themselves: their path starts with their name.
    const fault = unstorable(slots, ['weeklySlots']);
    if (fault) refuse(fault.reason, tellable(fault.path.slice(1)));
    else if (storedSize(slots) > MAX_SLOTS_BYTES) refuse('is too large to be stored');
  })
  .meta({
    override: { propertyNames: { enum: DAYS } },
    description:
      'The week: for each day (`Sunday` … `Saturday`) whatever the app stores there, any JSON but a list directly in a list.',
  });

/** As much of a path as a sentence can hold: its names are the caller's own, and may be of any length and number. */
function tellable(path: PropertyKey[]): PropertyKey[] {
  const long = path.findIndex((key) => String(key).length > 40);
  return path.slice(0, Math.min(5, long < 0 ? path.length : long));
}

/** An artist's schedule as callers send it. */
export const Availability = z
  .object({
    artistId: documentId.describe('The artist whose schedule it is.'),
    availabilityId: documentId.describe('The id of the schedule.'),
    isActive: z.boolean().describe('Whether the schedule is in use.'),
    weeklySlots,
    dateRangeType: z
      .enum(['indefinitely', 'specific', 'rolling'])
      .describe('How long the schedule holds.'),
    effectiveFrom: sentTime.describe('When the schedule starts, in ms, UTC.'),
    createdAt: sentTime.describe('Must be a valid time; the stored one is kept.'),
    updatedAt: sentTime.describe("Must be a valid time; the server's own is stored."),
    effectiveUntil: sentTime
      .optional()
      .describe(
        'When the schedule ends, in ms, UTC; required where `dateRangeType` is `specific`.',
      ),
    rollingDays: rollingDays
      .optional()
      .describe(
        'How many days ahead it holds, 1 to 366; required where `dateRangeType` is `rolling`.',
      ),
  })
  .superRefine((schedule, context) => {
    const { dateRangeType, effectiveFrom, effectiveUntil } = schedule;
    const refuse = (field: string, message: string) => {
      context.addIssue({ code: 'custom', message, path: [field], input: schedule });
    };
    if (dateRangeType === 'specific' && effectiveUntil === undefined) {
      refuse('effectiveUntil', 'is required where dateRangeType is specific');
    }
    if (dateRangeType === 'rolling' && schedule.rollingDays === undefined) {
      refuse('rollingDays', 'is required where dateRangeType is rolling');
    }
    if (effectiveUntil !== undefined && effectiveUntil <= effectiveFrom) {
      refuse('effectiveUntil', 'must be later than effectiveFrom');
    }
  })
  .meta({ id: 'Availability', description: "An artist's schedule." });
export type Availability = z.infer<typeof Availability>;

/**
 * Replaces a stored schedule of the caller's. Throws `not-found` where there is none, `permission-denied` where the
 * stored one or the one sent is another artist's.
 */
export async function replaceAvailability(sent: Availability, caller: string): Promise<void> {
  const availability = firestore().collection('availability');
  await inTransaction(async (attempt) => {
    const named = { id: sent.availabilityId, field: 'availabilityId' };
    await readOwned(attempt, availability, [named], caller);
    if (sent.artistId !== caller) {
      throw new HttpsError('permission-denied', 'artistId must be your own.');
    }
    attempt.update(availability.doc(sent.availabilityId), {
      isActive: sent.isActive,
      weeklySlots: sent.weeklySlots,
      dateRangeType: sent.dateRangeType,
      effectiveFrom: sent.effectiveFrom,
      effectiveUntil: sent.effectiveUntil ?? FieldValue.delete(),
      rollingDays: sent.rollingDays ?? FieldValue.delete(),
      updatedAt: Date.now(),
    });
  });
}
