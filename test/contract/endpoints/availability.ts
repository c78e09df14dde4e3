import { createPaths, generateDocuments, NOW, owner, pickId, vary } from '../generators.ts';
import { ensure, ensureValid, parseBody, respond, changeOwned } from '../endpointModel.ts';
import type { EndpointModel } from '../endpointModel.ts';
import { isId, isMap, isTime, isWithin } from '../values.ts';

const schedules = generateDocuments(createPaths('availability/~a', 2), { artistId: owner });

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const WHOLE_WEEK = Object.fromEntries(DAYS.map((day) => [day, null]));
const ignoredTime = vary([NOW, -1, null], [8.64e15 + 1, NOW + 0.5, '2026-06-01']);

/** Replaces a schedule, except `createdAt`: removes fields that are not sent. Ignores times of creation and update. */
export const updateAvailability: EndpointModel = {
  apply(request) {
    const { isActive, weeklySlots, dateRangeType, ...body } = parseBody(request);
    const effectiveUntil = body.effectiveUntil ?? undefined;
    // "`rollingDays`": a number or digits; null and an empty string count as missing.
    const days = body.rollingDays === '' ? undefined : (body.rollingDays ?? undefined);
    const rollingDays = typeof days === 'string' && /^\d{1,3}$/.test(days) ? Number(days) : days;
    const [isSpecific, isRolling] = [dateRangeType === 'specific', dateRangeType === 'rolling'];
    ensureValid(isId(body.artistId) && isId(body.availabilityId) && typeof isActive === 'boolean');
    ensureValid(isMap(weeklySlots) && Object.keys(weeklySlots).every((day) => DAYS.includes(day)));
    ensureValid(isTime(body.effectiveFrom) && isTime(effectiveUntil ?? 0));
    ensureValid(isTime(body.createdAt ?? 0) && isTime(body.updatedAt ?? 0));
    ensureValid(isSpecific || isRolling || dateRangeType === 'indefinitely');
    ensureValid(!isSpecific || effectiveUntil !== undefined);
    ensureValid(rollingDays === undefined ? !isRolling : isWithin(rollingDays, 1, 366));
    const end = isSpecific || isRolling ? effectiveUntil : undefined;
    // "The end of a schedule".
    ensureValid(end === undefined || Number(end) > body.effectiveFrom);
    const fields = { isActive, weeklySlots, dateRangeType, effectiveFrom: body.effectiveFrom };
    const limits = { effectiveUntil: end, rollingDays: isRolling ? rollingDays : undefined };
    const change = { ...fields, ...limits, updatedAt: Date.now() };
    const state = changeOwned({ [`availability/${body.availabilityId}`]: change }, request);
    ensure(body.artistId === request.callerId, 'permission-denied');
    return respond({ success: true }, state);
  },
  documents: schedules,
  request: {
    body: {
      artistId: owner,
      availabilityId: pickId(schedules),
      weeklySlots: vary([{}, { Sunday: [{ a: 1.5, b: null }] }, WHOLE_WEEK], [{ monday: 1 }]),
      rollingDays: vary([1, 30, 366, '366', '7'], [null, '', 0, 367, 1.5, '7 ', '1000']),
      effectiveFrom: vary([NOW + 1, NOW + 2], [-8.64e15, NOW + 0.5]),
      effectiveUntil: vary([NOW + 1, NOW + 2, NOW + 3], [null, 8.64e15, 8.64e15 + 1, NOW + 3.5]),
      createdAt: ignoredTime,
      updatedAt: ignoredTime,
    },
  },
};
