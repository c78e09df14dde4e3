/** A point in time as in the protocol. */
export interface Time {
  readonly seconds?: string | number | null;
  readonly nanos?: number | null;
}

/** A time with all its parts. */
export interface WholeTime {
  readonly seconds: string;
  readonly nanos: number;
}

let last = 0;

/**
 * The current time in whole microseconds, later than every earlier result, so that no two writes have the same time.
 */
export function risingTime(): WholeTime {
  const withinMillisecond = Number((process.hrtime.bigint() / 1000n) % 1000n);
  last = Math.max(Date.now() * 1000 + withinMillisecond, last + 1);
  return timeOf(last);
}

/** The time truncated to milliseconds, as stored by `REQUEST_TIME`. */
export function inMilliseconds({ seconds, nanos }: WholeTime): WholeTime {
  return { seconds, nanos: Math.floor(nanos / 1e6) * 1e6 };
}

/** The time truncated to microseconds, as stored by the service. */
export function inMicroseconds({ seconds, nanos }: Time): WholeTime {
  return { seconds: String(seconds ?? 0), nanos: Math.floor((nanos ?? 0) / 1000) * 1000 };
}

/** Whether both times are equal to the nanosecond. */
export function sameTime(a: Time, b: Time): boolean {
  return Number(a.seconds ?? 0) === Number(b.seconds ?? 0) && (a.nanos ?? 0) === (b.nanos ?? 0);
}

function timeOf(microseconds: number): WholeTime {
  return {
    seconds: String(Math.floor(microseconds / 1e6)),
    nanos: (microseconds % 1e6) * 1000,
  };
}
