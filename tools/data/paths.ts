/**
 * Stored values by their paths, as check:data writes them: `price.amount` is a member of a map, `styles[]` is each element
 * of a list, and `sessions[].sessionNumber` a member of each.
 */
import { elementsOf, type Fields, type Value } from '@tattoo-marketplace/firestore-rest';
import { isNoValue } from '../../functions/src/documents/storedNames.ts';
import { kindOf } from './fieldTypes.ts';

/** Why a document is left as it is. */
export class Left extends Error {}

/** The stored value at a path without lists; undefined if there is none. */
export function valueAt(fields: Fields, path: string): Value | undefined {
  const [name = '', ...rest] = path.split('.');
  const value = memberOf(fields, name);
  return rest.length === 0 ? value : valueAt(value?.mapValue?.fields ?? {}, rest.join('.'));
}

/**
 * Fields with another value at a path, or without one. It is asked for each value at the path, or once if there is none;
 * maps that are missing are made. Throws `Left` where something else than a map or a list is in the way.
 */
export function withValue(
  fields: Fields,
  path: string,
  next: (value: Value | undefined) => Value | undefined,
): Fields {
  const steps = path.split(/\.|(?=\[\])/);
  return edited({ mapValue: { fields } }, steps, '', next)?.mapValue?.fields ?? {};
}

function edited(
  value: Value | undefined,
  [step, ...rest]: readonly string[],
  path: string,
  next: (value: Value | undefined) => Value | undefined,
): Value | undefined {
  if (step === undefined) return next(value);
  const isThere = value !== undefined && !isNoValue(value);
  if (step === '[]') {
    if (!isThere) return value;
    if (value.arrayValue === undefined) throw new Left(`${path} is a ${kindOf(value)}, not a list`);
    const values = elementsOf(value).flatMap(
      (element) => edited(element, rest, `${path}[]`, next) ?? [],
    );
    return { arrayValue: { values } };
  }
  if (isThere && value.mapValue === undefined) {
    throw new Left(`${path} is a ${kindOf(value)}, not a map`);
  }
  const members = value?.mapValue?.fields ?? {};
  const place = path === '' ? step : `${path}.${step}`;
  const member = edited(memberOf(members, step), rest, place, next);
  if (member === undefined && !isThere) return value;
  const others = Object.fromEntries(Object.entries(members).filter(([name]) => name !== step));
  return { mapValue: { fields: { ...others, ...(member && { [step]: member }) } } };
}

function memberOf(fields: Fields, name: string): Value | undefined {
  // Documents may have any names: `constructor`.
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}
