/** Which values the service accepts, and what of a stored value leaves it. */

import { isRaw, type Data } from '../../emulator/firestore/store.ts';

export { isRaw, type Data };

export function isMap(value: unknown): value is Data {
  return isObject(value) && !Array.isArray(value) && !isRaw(value);
}

function isObject(value: unknown): value is Data {
  return typeof value === 'object' && value !== null;
}

// What is accepted in a request.

export function isText(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed();
}

export function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** A whole number that a double can tell from its neighbours. */
export function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

/** A number of milliseconds that JavaScript's `Date` supports. */
export function isTime(value: unknown): value is number {
  return isNumber(value) && Math.abs(value) <= 8.64e15;
}

/** A document id: 1 to 1500 bytes, no slash, not `.`, `..` or `__…__`. */
export function isId(value: unknown): value is string {
  return isName(value) && !/\/|^\.\.?$/.test(value);
}

export function isIdList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length >= 1 && value.length <= 500 && value.every(isId);
}

function isName(value: unknown): value is string {
  return (
    isText(value) && value !== '' && Buffer.byteLength(value) <= 1500 && !/^__.*__$/s.test(value)
  );
}

/** 1 to 366 days, as a number or in digits. */
export function requestedDays(value: unknown): number | undefined {
  const days = isText(value) && /^\d{1,3}$/.test(value) ? Number(value) : value;
  return isWhole(days) && days >= 1 && days <= 366 ? days : undefined;
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Days of the week, each with any JSON that Firestore can store; in all up to 100 000 bytes and 5000 values. */
export function isWeek(value: unknown): value is Data {
  if (!isMap(value) || !Object.keys(value).every((day) => DAYS.includes(day))) return false;
  return Buffer.byteLength(JSON.stringify(value)) <= 100_000 && countOf(value, 1) <= 5000;
}

/** The number of values in a value and itself; infinite if Firestore cannot store it. */
function countOf(value: unknown, level: number): number {
  if (typeof value === 'string') return isText(value) ? 1 : Infinity;
  if (typeof value === 'number') return isNumber(value) ? 1 : Infinity;
  if (!isObject(value)) return 1;
  const members = Object.values(value);
  const isStorable = Array.isArray(value)
    ? !members.some(Array.isArray)
    : Object.keys(value).every(isName);
  if (!isStorable || level > 20) return Infinity;
  return members.reduce<number>((sum, member) => sum + countOf(member, level + 1), 1);
}

// What leaves: the fields that are named here and no others, without values of a wrong kind.

/** What leaves of a stored value; undefined if it has another kind. */
type Kind = (stored: unknown) => unknown;

/** What leaves of a stored document. */
export type Shape = (document: { readonly id: string; readonly data: Data }) => Data;

const text: Kind = (stored) => (typeof stored === 'string' ? stored : undefined);
const flag: Kind = (stored) => (typeof stored === 'boolean' ? stored : undefined);
const whole: Kind = (stored) => (isWhole(numberOf(stored)) ? numberOf(stored) : undefined);

export function numberOf(stored: unknown): number | undefined {
  const number = isRaw(stored) ? (stored.doubleValue ?? Number(stored.integerValue)) : stored;
  return isNumber(number) ? number : undefined;
}

/** A time in whole milliseconds. Some writers store a `Timestamp`. */
export function timeOf(stored: unknown): number | undefined {
  if (isRaw(stored) && 'timestampValue' in stored) return Date.parse(String(stored.timestampValue));
  const number = numberOf(stored);
  return number === undefined ? undefined : Math.round(number);
}

function list(kind: Kind): Kind {
  return (stored) =>
    Array.isArray(stored) ? stored.map(kind).filter((each) => each !== undefined) : undefined;
}

function map(kinds: Readonly<Record<string, Kind>>): Kind {
  return (stored) => {
    if (!isMap(stored)) return undefined;
    const members = Object.entries(kinds).map(
      ([name, kind]) => [name, kind(stored[name])] as const,
    );
    return Object.fromEntries(members.filter(([, member]) => member !== undefined));
  };
}

/** Fields of one kind. */
function each(kind: Kind, names: string): Record<string, Kind> {
  return Object.fromEntries(names.split(' ').map((name) => [name, kind]));
}

/** What leaves of a document; the `id` is always its own. */
function shape(kinds: Readonly<Record<string, Kind>>): Shape {
  return ({ id, data }) => ({ ...(map(kinds)(data) as Data), id });
}

const source = {
  ...each(text, 'socialId permalink caption storageRef mediaType'),
  ...{ urlRefreshedAt: timeOf, fileSize: whole },
};

export const listing = shape({
  ...each(text, 'artistId artistName artistUsername source notes'),
  ...each(flag, 'isAvailable isVisible'),
  ...each(timeOf, 'createdAt updatedAt'),
  ...each(whole, 'viewCount bookmarkCount'),
  ...each(list(text), 'styles tags'),
  order: numberOf,
  sourceData: map({ ...source, ...each(text, 'url thumbnailUrl') }),
  price: map(each(text, 'type amount')),
  size: map(each(text, 'unit minSize maxSize')),
  sessionDuration: map({ blocks: numberOf }),
});

export const photo = shape({
  ...each(text, 'artistId artistName artistUsername url thumbnailUrl source'),
  ...{ order: numberOf, uploadedAt: timeOf, isVisible: flag, tags: list(text) },
  sourceData: map({ ...source, ...each(text, 'originalFileName originalUrl') }),
});

export const message = shape({
  ...each(text, 'senderId content type'),
  ...{ timestamp: timeOf, readBy: list(text) },
});

/** What is stored, or a default at every level. */
function setting(kind: Kind, usual: unknown): Kind {
  return (stored) => kind(stored) ?? kind(usual);
}

const settings = (kinds: Readonly<Record<string, Kind>>) => setting(map(kinds), {});
const [on, off] = [setting(flag, true), setting(flag, false)];

const preferences = settings({
  notifications: settings({
    bookings: settings(each(on, 'newRequests bookingUpdates payments conversations')),
    marketing: off,
  }),
  integrations: settings({
    paymentProvider: settings({
      ...each(off, 'isEnabled isChargesEnabled isPayoutsEnabled'),
      accountId: setting(text, ''),
    }),
  }),
});

const PRONOUNS = ["Don't Specify", 'He/Him', 'She/Her', 'They/Them', 'Other'];
const location = {
  ...each(text, 'address city state country'),
  ...each(numberOf, 'latitude longitude'),
};

/** A user who is an artist. Of the integrations only what is public leaves. */
export const artist = shape({
  ...each(text, 'email displayName firstName lastName otherPronouns photoURL phoneNumber userType'),
  ...{ howDidYouHearAboutUs: text, createdAt: timeOf, isEmailVerified: flag, preferences },
  pronouns: (stored) => PRONOUNS.find((each) => each === stored),
  integrations: map({ social: map({ ...each(text, 'userId username'), connectedAt: timeOf }) }),
  artistInfo: map({
    ...each(text, 'username bio customBookingType customBookingUrl'),
    ...each(flag, 'useCustomBookingFlow isVerified displayDailyAvailability'),
    tattooStyles: list(text),
    workLocations: list(map(location)),
    links: list(map({ url: text, order: numberOf })),
    bookingFaqs: list(map(each(text, 'type description title'))),
  }),
});
