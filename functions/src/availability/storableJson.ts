/**
 * The most levels of nested objects and arrays that Firestore stores
 * (https://firebase.google.com/docs/firestore/quotas).
 */
export const MAX_DEPTH = 20;
/** The longest field name, in bytes. */
const MAX_NAME_BYTES = 1500;
/** The most values; each object, each array and each value in them counts. */
export const MAX_VALUES = 5_000;
/** The longest JSON, in bytes of UTF-8 without white space. */
export const MAX_BYTES = 100_000;

/** Why a JSON value cannot be stored, as the end of a sentence, and which part of it. */
export interface Unstorable {
  readonly path: readonly (string | number)[];
  readonly reason: string;
}

/**
 * Returns why a JSON value cannot be stored, if so: too many values or bytes, an array directly inside an array, more
 * than 20 levels, a reserved or too long name, or invalid Unicode. It stops at the first problem, so that an oversized
 * value costs no more than the largest allowed one.
 */
export function unstorable(value: object): Unstorable | undefined {
  const fault = faultOf(value, [], { left: MAX_VALUES });
  if (fault !== undefined) return fault;
  return Buffer.byteLength(JSON.stringify(value)) > MAX_BYTES
    ? { path: [], reason: `must not be longer than ${MAX_BYTES} bytes` }
    : undefined;
}

function faultOf(
  value: unknown,
  path: (string | number)[],
  budget: { left: number },
): Unstorable | undefined {
  budget.left -= 1;
  if (budget.left < 0) return { path: [], reason: `must not have more than ${MAX_VALUES} values` };
  if (typeof value === 'string') {
    // A string that is too long is rejected later, for its length; do not scan it here.
    const isValid = value.length > MAX_BYTES || value.isWellFormed();
    return isValid ? undefined : { path: [...path], reason: 'must be valid Unicode' };
  }
  if (typeof value === 'number') {
    // JSON.parse reads 1e999 as Infinity.
    return Number.isFinite(value) ? undefined : { path: [...path], reason: 'must be finite' };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  // The field itself is the first level.
  if (path.length >= MAX_DEPTH) {
    return { path: [], reason: `must not be nested deeper than ${MAX_DEPTH} levels` };
  }
  return Array.isArray(value) ? faultInList(value, path, budget) : faultInMap(value, path, budget);
}

function faultInList(
  list: readonly unknown[],
  path: (string | number)[],
  budget: { left: number },
): Unstorable | undefined {
  for (const [index, element] of list.entries()) {
    path.push(index);
    if (Array.isArray(element))
      return { path: [...path], reason: 'must not be an array directly inside an array' };
    const fault = faultOf(element, path, budget);
    if (fault !== undefined) return fault;
    path.pop();
  }
  return undefined;
}

function faultInMap(
  map: object,
  path: (string | number)[],
  budget: { left: number },
): Unstorable | undefined {
  for (const name in map) {
    if (!isFieldName(name)) {
      return {
        path: [...path],
        reason: 'must not have a field whose name is empty, reserved or too long',
      };
    }
    path.push(name);
    const fault = faultOf((map as Record<string, unknown>)[name], path, budget);
    if (fault !== undefined) return fault;
    path.pop();
  }
  return undefined;
}

function isFieldName(name: string): boolean {
  return (
    name !== '' &&
    name.length <= MAX_NAME_BYTES &&
    Buffer.byteLength(name) <= MAX_NAME_BYTES &&
    !/^__.*__$/s.test(name) &&
    name.isWellFormed()
  );
}
