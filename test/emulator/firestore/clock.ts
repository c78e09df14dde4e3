/** A point in time as the protocol writes it. */
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

/** The present time in whole microseconds, later than every time given before: no two writes share one. */
export function risingTime(): WholeTime {
  const withinMillisecond = Number((process.hrtime.bigint() / 1000n) % 1000n);
  last = Math.max(Date.now() * 1000 + withinMillisecond, last + 1);
  return timeOf(last);
}

/** The time with milliseconds only, as `REQUEST_TIME` stores it. */
export function inMilliseconds({ seconds, nanos }: WholeTime): WholeTime {
  return { seconds, nanos: Math.floor(nanos / 1e6) * 1e6 };
}

/** The time in whole microseconds, as the service stores it. */
export function inMicroseconds({ seconds, nanos }: Time): WholeTime {
  return { seconds: String(seconds ?? 0), nanos: Math.floor((nanos ?? 0) / 1000) * 1000 };
}

/** Whether both are the same, to the nanosecond. */
export function sameTime(a: Time, b: Time): boolean {
  return Number(a.seconds ?? 0) === Number(b.seconds ?? 0) && (a.nanos ?? 0) === (b.nanos ?? 0);
}

function timeOf(microseconds: number): WholeTime {
  return {
    seconds: String(Math.floor(microseconds / 1e6)),
    nanos: (microseconds % 1e6) * 1000,
  };
}
