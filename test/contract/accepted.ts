/** Which values the service accepts in requests. In quotation marks: where docs/decisions.md has the rule. */
import { isMap, isNumber, isObject, type DocumentData } from './values.ts';

export function isText(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed();
}

/** A whole number that a double can tell from its neighbours. */
export function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

/** An integer number of milliseconds that JavaScript's `Date` supports: "Units of times". */
export function isTime(value: unknown): value is number {
  return Number.isInteger(value) && Math.abs(Number(value)) <= 8.64e15;
}

/** A document id, by Firestore's own rule: 1 to 1500 bytes, no slash, not `.`, `..` or `__…__`. */
export function isId(value: unknown): value is string {
  return isName(value) && !/\/|^\.\.?$/.test(value);
}

/** "Sizes". There is also a limit of all their bytes, in `ids.ts`. */
export function isIdList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length >= 1 && value.length <= 500 && value.every(isId);
}

/** The name of a field. */
function isName(value: unknown): value is string {
  if (!isText(value) || value === '') return false;
  return Buffer.byteLength(value) <= 1500 && !/^__.*__$/s.test(value);
}

/** 1 to 366 days, as a number or in digits: "`rollingDays`". NaN if it is neither, undefined if it is not sent. */
export function requestedDays(value: unknown): number | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const days = isText(value) && /^\d{1,3}$/.test(value) ? Number(value) : value;
  return isWhole(days) && days >= 1 && days <= 366 ? days : NaN;
}

export const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Days of the week, each with any JSON that Firestore can store. There are also limits of its size, in `weeklySlots.ts`. */
export function isWeek(value: unknown): value is DocumentData {
  if (!isMap(value) || !Object.keys(value).every((day) => DAYS.includes(day))) return false;
  return Object.values(value).every(isStorable);
}

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return isText(value);
  if (typeof value === 'number') return isNumber(value);
  if (!isObject(value)) return true;
  const members = Object.values(value);
  const hasListInList = Array.isArray(value) && members.some(Array.isArray);
  const hasNames = Array.isArray(value) || Object.keys(value).every(isName);
  return hasNames && !hasListInList && members.every(isStorable);
}
