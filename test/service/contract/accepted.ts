/** Which values the service accepts in requests. */
import { isMap, isNumber, isObject, type Data } from './values.ts';

export function isText(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed();
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

/** The name of a field. */
function isName(value: unknown): value is string {
  if (!isText(value) || value === '') return false;
  return Buffer.byteLength(value) <= 1500 && !/^__.*__$/s.test(value);
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

/** The number of values in a value, with itself; infinite if Firestore cannot store it. */
function countOf(value: unknown, level: number): number {
  if (typeof value === 'string') return isText(value) ? 1 : Infinity;
  if (typeof value === 'number') return isNumber(value) ? 1 : Infinity;
  if (!isObject(value)) return 1;
  const members = Object.values(value);
  const hasNames = Array.isArray(value) || Object.keys(value).every(isName);
  const hasListInList = Array.isArray(value) && members.some(Array.isArray);
  if (level > 20 || !hasNames || hasListInList) return Infinity;
  return members.reduce<number>((sum, member) => sum + countOf(member, level + 1), 1);
}
