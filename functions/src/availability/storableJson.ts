/** The most levels of maps and lists that Firestore stores (https://firebase.google.com/docs/firestore/quotas). */
const MAX_DEPTH = 20;
/** The longest name of a field, in bytes. */
const MAX_NAME_BYTES = 1500;
/** How many values there may be, each map, each list and each value in them counted. */
export const MAX_VALUES = 5_000;
/** How long the JSON may be, in bytes of UTF-8, without white space. */
export const MAX_BYTES = 100_000;

/** Why a JSON value is not stored, as the end of a sentence, and where in it. */
export interface Unstorable {
  readonly path: readonly (string | number)[];
  readonly reason: string;
}

/**
 * What keeps a field's JSON value from being stored, if anything: more values or bytes than we take, a list directly in a
 * list, more than 20 levels, a name that is reserved or too long, a text that is not valid Unicode. It stops at the first
 * fault, so that a huge value costs no more than one of the largest size allowed.
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
    // A text that is too long is refused for its length, later: here it is not looked through.
    const isValid = value.length > MAX_BYTES || value.isWellFormed();
    return isValid ? undefined : { path: [...path], reason: 'must be valid Unicode' };
  }
  if (typeof value === 'number') {
    // JSON's 1e999 is read as infinity.
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
      return { path: [...path], reason: 'must not be a list directly in a list' };
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
        reason: 'must not have a field of an empty, reserved or over-long name',
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
