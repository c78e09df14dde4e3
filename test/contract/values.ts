/** Stored values, and what of them leaves the service. */
import { isRaw, type Data } from '../../dev/shared/store.ts';

export { isRaw, type Data };

export function isMap(value: unknown): value is Data {
  return isObject(value) && !Array.isArray(value) && !isRaw(value);
}

export function isObject(value: unknown): value is Data {
  return typeof value === 'object' && value !== null;
}

export function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

const PRONOUNS = ["Don't Specify", 'He/Him', 'She/Her', 'They/Them', 'Other'];

/**
 * What leaves of a stored value: the fields that a complete one has and no others, without values of a wrong kind.
 * Undefined if it is of a wrong kind itself.
 */
export function leaving(stored: unknown, complete: unknown, name = ''): unknown {
  if (Array.isArray(complete)) {
    if (!Array.isArray(stored)) return undefined;
    return stored.map((each) => leaving(each, complete[0])).filter((each) => each !== undefined);
  }
  if (isMap(complete)) {
    if (!isMap(stored)) return undefined;
    const members = Object.keys(complete)
      .filter((key) => isStored(stored[key], complete[key]))
      .map((key) => [key, leaving(stored[key], complete[key], key)]);
    return Object.fromEntries(members.filter(([, member]) => member !== undefined));
  }
  if (name === 'pronouns') return PRONOUNS.find((pronouns) => pronouns === stored);
  if (typeof complete !== 'number') return typeof stored === typeof complete ? stored : undefined;
  if (/(At|timestamp)$/.test(name)) return timeOf(stored);
  const number = numberOf(stored);
  return /(Count|fileSize)$/.test(name) && !Number.isSafeInteger(number) ? undefined : number;
}

/** The fields that a complete value has, as they are stored. Lists are read as a whole. */
export function picked(stored: unknown, complete: unknown): unknown {
  if (!isMap(stored) || !isMap(complete)) return stored;
  const names = Object.keys(complete).filter((name) => stored[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, picked(stored[name], complete[name])]));
}

/** Whether a value, or any field of a map, is stored. Fields are read one by one: a map without any of them is missing. */
function isStored(stored: unknown, complete: unknown): boolean {
  if (!isMap(complete)) return stored !== undefined;
  return isMap(stored) && Object.keys(complete).some((key) => isStored(stored[key], complete[key]));
}

/** A finite number. */
export function numberOf(stored: unknown): number | undefined {
  const number = isRaw(stored) ? (stored.doubleValue ?? Number(stored.integerValue)) : stored;
  return isNumber(number) ? number : undefined;
}

/** A time in whole milliseconds that JavaScript's `Date` supports: "Units of times" in docs/decisions.md. */
export function timeOf(stored: unknown): number | undefined {
  if (isRaw(stored) && 'timestampValue' in stored) return Date.parse(stored.timestampValue);
  const number = numberOf(stored);
  return number === undefined || Math.abs(number) > 8.64e15 ? undefined : Math.round(number);
}

/**
 * A time as it is stored in the place of a value. "Units of times" in docs/decisions.md: what is a `Timestamp` stays one, to
 * whole microseconds, within the years that it knows; all else becomes a number.
 */
export function timeInPlaceOf(stored: unknown, ms: number | undefined): unknown {
  if (ms === undefined) return undefined;
  const second = Math.floor(ms / 1000);
  const date = new Date(second * 1000).toISOString();
  const isKnown = /^\d{4}-/.test(date) && !date.startsWith('0000-');
  // -0 is 0.
  if (!isRaw(stored) || !('timestampValue' in stored) || !isKnown) return ms + 0;
  const micros = Math.min(999_999, Math.floor((ms - second * 1000) * 1000));
  const digits = String(micros)
    .padStart(6, '0')
    .replace(/(000){1,2}$/, '');
  return { timestampValue: `${date.slice(0, 19)}${digits && '.'}${digits}Z` };
}

/** What decides the place of a value in a list: Firestore sorts by kind first. */
export function sortKey(value: unknown): [kind: number, key: number | string] {
  if (value === null || value === undefined) return [0, 0];
  if (typeof value === 'boolean') return [1, Number(value)];
  if (typeof value === 'string') return [4, value];
  if (isRaw(value) && 'timestampValue' in value) return [3, timeOf(value) ?? 0];
  return [2, numberOf(value) ?? -Infinity];
}

const BOOKINGS = { newRequests: true, bookingUpdates: true, payments: true, conversations: true };
const PROVIDER = {
  isEnabled: false,
  accountId: '',
  isChargesEnabled: false,
  isPayoutsEnabled: false,
};
const DEFAULTS = {
  notifications: { bookings: BOOKINGS, marketing: false },
  integrations: { paymentProvider: PROVIDER },
};

/** A user's settings, with defaults at every level. */
export function preferencesOf(chosen: unknown, defaults: Data = DEFAULTS): Data {
  const known = isMap(chosen) ? chosen : {};
  const members = Object.entries(defaults).map(([name, value]) => [
    name,
    isMap(value) ? preferencesOf(known[name], value) : (known[name] ?? value),
  ]);
  return Object.fromEntries(members) as Data;
}
