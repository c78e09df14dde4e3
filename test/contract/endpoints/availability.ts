import fc from 'fast-check';
import { DAYS, isId, isTime, isWeek, requestedDays } from '../accepted.ts';
import {
  body,
  idOf,
  mostly,
  NOW,
  numbered,
  of,
  owner,
  sentTime,
  storing,
  time,
} from '../arbitraries.ts';
import { bodyOf, changedOwned, demand, ok, valid, type Entry } from '../rules.ts';

const stored = storing(numbered('availability/~a', 2), {
  artistId: owner,
  ...{ effectiveFrom: time, effectiveUntil: time, createdAt: time, updatedAt: time },
});

const WHOLE_WEEK = Object.fromEntries(DAYS.map((day) => [day, null]));
/** Checked, but not used. */
const ignoredTime = mostly([NOW, -1, undefined, null], [8.65e15, '2026-06-01']);

/**
 * Replaces a schedule as a whole: an optional field that is not sent is removed. `createdAt` stays as it is. What is sent as
 * the time of creation or update is not used, nor the end of a schedule without one, but it must be valid.
 */
export const updateAvailability: Entry = {
  answer(request) {
    const { artistId, availabilityId, isActive, weeklySlots, ...dates } = bodyOf(request);
    const { dateRangeType, effectiveFrom, createdAt, updatedAt } = dates;
    const isEndless = dateRangeType === 'indefinitely';
    const isRolling = dateRangeType === 'rolling';
    const effectiveUntil = dates.effectiveUntil ?? undefined;
    const rollingDays = requestedDays(dates.rollingDays);
    valid(isId(artistId) && isId(availabilityId));
    valid(typeof isActive === 'boolean' && isWeek(weeklySlots));
    valid(isTime(effectiveFrom) && [createdAt, updatedAt].every((sent) => isTime(sent ?? 0)));
    // "The end of a schedule".
    valid(isEndless || dateRangeType === 'specific' || isRolling);
    valid(dateRangeType !== 'specific' || effectiveUntil !== undefined);
    valid(effectiveUntil === undefined || isTime(effectiveUntil));
    valid(isEndless || effectiveUntil === undefined || effectiveUntil > effectiveFrom);
    valid(!Number.isNaN(rollingDays) && (!isRolling || rollingDays !== undefined));
    const fields = {
      ...{ isActive, weeklySlots, dateRangeType },
      rollingDays: isRolling ? rollingDays : undefined,
    };
    const times = {
      ...{ effectiveFrom, updatedAt: request.now },
      effectiveUntil: isEndless ? undefined : effectiveUntil,
    };
    const changes = { [`availability/${availabilityId}`]: { ...fields, ...times } };
    const documents = changedOwned(changes, request);
    demand(artistId === request.caller, 'permission-denied');
    return ok({ success: true }, documents);
  },
  stored,
  send: body({
    artistId: owner,
    availabilityId: idOf(stored),
    isActive: fc.boolean(),
    weeklySlots: of({}, { Monday: [] }, { Sunday: [{ a: 1.5, b: null }], Friday: 'x' }, WHOLE_WEEK),
    dateRangeType: of('indefinitely', 'specific', 'rolling'),
    rollingDays: mostly([1, 30, 366, '366'], [undefined, null, '', 367, '7 ', 'some']),
    effectiveFrom: sentTime,
    effectiveUntil: mostly(
      [NOW + 2, NOW + 3.25, 8.64e15, undefined, null],
      [NOW, 8.65e15, 'never'],
    ),
    createdAt: ignoredTime,
    updatedAt: ignoredTime,
  }),
};
