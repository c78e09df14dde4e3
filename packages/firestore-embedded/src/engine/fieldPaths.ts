/** Reads and changes fields at paths such as `a.b` or `` `a.b`.c ``. */
import type { Fields, Value } from '@tattoo-marketplace/firestore-rest';
import { invalidArgumentError } from './apiError.ts';
import { parseArray, parseObject } from './parseJson.ts';
import { isReserved, omitEmptyFields } from './normalize.ts';

export type FieldPath = readonly string[];

const MAX_PATH_BYTES = 1500;
const NAMES = /[A-Za-z_]\w*|`(?:[^`\\]|\\.)+`/gs;

/** Parses a field path into names. `__name__` has no names. */
export function parseFieldPath(json: unknown): FieldPath {
  if (json === '__name__') return [];
  const names = String(json).match(NAMES) ?? [];
  const path = names.map((name) => name.replace(/^`(.*)`$/s, '$1').replace(/\\(.)/gs, '$1'));
  const isPath =
    path.length > 0 &&
    names.join('.') === json &&
    Buffer.byteLength(json) <= MAX_PATH_BYTES &&
    !path.some(isReserved);
  if (!isPath)
    throw invalidArgumentError(
      `Invalid field path: ${String(json)}. Names must not be empty, too long or reserved (__…__).`,
    );
  return path;
}

/** Parses a field mask; undefined if there is no mask. */
export function parseFieldMask(json: unknown): readonly FieldPath[] | undefined {
  if (json === undefined) return undefined;
  const paths = parseArray(parseObject(json, 'fieldPaths').fieldPaths).map(parseFieldPath);
  return paths.filter(({ length }) => length > 0);
}

/** Returns the value at a path; undefined if the field is missing. */
export function getValue(fields: Fields, path: FieldPath): Value | undefined {
  let value: Value | undefined = { mapValue: { fields } };
  for (const name of path) {
    const members: Fields = value?.mapValue?.fields ?? {};
    value = Object.hasOwn(members, name) ? members[name] : undefined;
  }
  return value;
}

/**
 * Returns the fields with a new value at a path, or without it. Replaces a value on the path that
 * is not a map.
 */
export function setValue(fields: Fields, [name = '', ...rest]: FieldPath, value?: Value): Fields {
  const { [name]: stored, ...otherFields } = fields;
  if (rest.length === 0) return value === undefined ? otherFields : { ...fields, [name]: value };
  if (value === undefined && stored?.mapValue === undefined) return fields;
  const changedMembers = setValue(stored?.mapValue?.fields ?? {}, rest, value);
  return { ...fields, [name]: { mapValue: omitEmptyFields(changedMembers) } };
}

/** Returns only the values at these paths. */
export function pickPaths(fields: Fields, paths: readonly FieldPath[]): Fields {
  return paths.reduce<Fields>((result, path) => {
    const value = getValue(fields, path);
    return value === undefined ? result : setValue(result, path, value);
  }, {});
}
