import { HttpsError } from 'firebase-functions/https';
import * as z from 'zod';
import { documentId, requestTime } from '../fields.ts';
import { updateOwned } from '../firestore/ownedDocuments.ts';
import { MAX_BYTES, MAX_VALUES, unstorable, type Unstorable } from './storableJson.ts';

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** A number of days from 1 to 366, from a number or the digits of one; undefined for anything else. */
function daysOf(sent: unknown): number | undefined {
  const days = typeof sent === 'string' && /^\d{1,3}$/.test(sent) ? Number(sent) : sent;
  return Number.isInteger(days) && (days as number) >= 1 && (days as number) <= 366
    ? (days as number)
    : undefined;
}

const rollingDays = z.unknown().meta({
  override: {
    anyOf: [
      { type: 'integer', minimum: 1, maximum: 366 },
      { type: 'string', pattern: '^\\d{1,3}$' },
      { type: 'null' },
    ],
  },
});

/** The week as callers send it. Looked through once, and no further than to the first fault. */
const weeklySlots = z
  .custom<Record<string, unknown>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    { error: ({ input }) => (input === undefined ? 'is required' : 'must be an object') },
  )
  .meta({
    override: { type: 'object', propertyNames: { enum: DAYS }, additionalProperties: {} },
    description: `The week: for each day (\`Sunday\` … \`Saturday\`) whatever the app stores there, any JSON but a list directly in a list; in all at most ${MAX_VALUES} values (each map, each list and what is in them counts as one) and ${MAX_BYTES} bytes of JSON.`,
  })
  .superRefine((slots, context) => {
    const fault = faultOf(slots);
    if (fault === undefined) return;
    const { reason: message, path } = fault;
    context.addIssue({ code: 'custom', message, path: shortenedPath(path), input: slots });
  });

function faultOf(slots: Readonly<Record<string, unknown>>): Unstorable | undefined {
  for (const day in slots) {
    if (!DAYS.includes(day)) {
      return { path: [], reason: `must have no other keys than ${DAYS.join(', ')}` };
    }
  }
  return unstorable(slots);
}

/** As much of a path as a sentence can hold: its names are the caller's own, and may be of any length and number. */
function shortenedPath(path: readonly (string | number)[]): (string | number)[] {
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
    effectiveFrom: requestTime.describe('When the schedule starts, in ms, UTC.'),
    createdAt: requestTime.describe('Must be a valid time; the stored one is kept.'),
    updatedAt: requestTime.describe("Must be a valid time; the server's own is stored."),
    effectiveUntil: requestTime
      .nullish()
      .describe(
        'When the schedule ends, in ms, UTC; required where `dateRangeType` is `specific`, and then later than `effectiveFrom`.',
      ),
    rollingDays: rollingDays
      .optional()
      .describe(
        'How many days ahead it reaches: an integer from 1 to 366, also as its digits; required where `dateRangeType` is `rolling`, otherwise ignored where it is no such number.',
      ),
  })
  .superRefine((schedule, context) => {
    const { dateRangeType, effectiveFrom, effectiveUntil } = schedule;
    const refuse = (field: string, message: string) => {
      context.addIssue({ code: 'custom', message, path: [field], input: schedule });
    };
    if (dateRangeType === 'specific') {
      if (effectiveUntil === undefined || effectiveUntil === null) {
        refuse('effectiveUntil', 'is required where dateRangeType is specific');
      } else if (effectiveUntil <= effectiveFrom) {
        refuse('effectiveUntil', 'must be later than effectiveFrom');
      }
    }
    if (dateRangeType === 'rolling') {
      if (schedule.rollingDays === undefined || schedule.rollingDays === null) {
        refuse('rollingDays', 'is required where dateRangeType is rolling');
      } else if (daysOf(schedule.rollingDays) === undefined) {
        refuse('rollingDays', 'must be an integer from 1 to 366');
      }
    }
  })
  .meta({ id: 'Availability', description: "An artist's schedule." });
export type Availability = z.infer<typeof Availability>;

/**
 * Replaces a stored schedule of the caller's own. Throws `not-found` where there is none, `permission-denied` where the
 * stored one or the one sent is another artist's.
 */
export async function replaceAvailability(sent: Availability, caller: string): Promise<void> {
  const { isActive, weeklySlots, dateRangeType, effectiveFrom } = sent;
  const named = [{ id: sent.availabilityId, field: 'availabilityId' }];
  const replaced = {
    ...{ isActive, weeklySlots, dateRangeType, effectiveFrom },
    // What is undefined is removed.
    effectiveUntil: sent.effectiveUntil ?? undefined,
    rollingDays: daysOf(sent.rollingDays),
    updatedAt: Date.now(),
  };
  await updateOwned(
    { collection: 'availability', named, owner: caller },
    () => replaced,
    () => {
      if (sent.artistId === caller) return;
      throw new HttpsError('permission-denied', 'artistId must be your own.');
    },
  );
}
