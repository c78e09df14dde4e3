import * as z from 'zod';

/** The furthest a time can be from the epoch, in ms (https://tc39.es/ecma262/#sec-time-values-and-time-range). */
const MAX_TIME = 8.64e15;

const expected = 'must be a time: a number of milliseconds since the Unix epoch, UTC';

/** A time as callers send it: milliseconds since the Unix epoch, UTC. */
export const sentTime = z.number().min(-MAX_TIME, expected).max(MAX_TIME, expected);
