/** The most levels of maps and lists that Firestore stores (https://firebase.google.com/docs/firestore/quotas). */
const MAX_DEPTH = 20;
/** The longest name of a field, in bytes. */
const MAX_NAME_BYTES = 1500;

type Path = readonly (string | number)[];

/** Why a JSON value cannot be stored, as the end of a sentence, and where in it. */
export interface Unstorable {
  readonly path: Path;
  readonly reason: string;
}

/**
 * What keeps Firestore from storing a JSON value as a field of a document, if anything: a list directly in a list,
 * more than 20 levels, a name that is reserved or too long, a text that is no Unicode.
 */
export function unstorable(value: unknown, path: Path = []): Unstorable | undefined {
  if (typeof value === 'string') {
    return value.isWellFormed() ? undefined : { path, reason: 'must be valid Unicode' };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (path.length > MAX_DEPTH) {
    return { path: [], reason: `must not be nested deeper than ${MAX_DEPTH} levels` };
  }
  if (Array.isArray(value))
    return firstOf(value.map((element, index) => () => inList(element, [...path, index])));
  return firstOf(
    Object.entries(value).map(
      ([name, member]) =>
        () =>
          isFieldName(name)
            ? unstorable(member, [...path, name])
            : { path, reason: 'must not have a field of an empty, reserved or over-long name' },
    ),
  );
}

/** The size of a JSON value as Firestore counts it, in bytes (https://firebase.google.com/docs/firestore/storage-size). */
export function storedSize(value: unknown): number {
  if (typeof value === 'string') return textSize(value);
  if (typeof value === 'number') return 8;
  if (typeof value !== 'object' || value === null) return 1;
  if (Array.isArray(value)) return sum(value.map(storedSize));
  return sum(Object.entries(value).map(([name, member]) => textSize(name) + storedSize(member)));
}

function inList(element: unknown, path: Path): Unstorable | undefined {
  return Array.isArray(element)
    ? { path, reason: 'must not be a list directly in a list' }
    : unstorable(element, path);
}

function isFieldName(name: string): boolean {
  return (
    name !== '' &&
    !/^__.*__$/s.test(name) &&
    name.isWellFormed() &&
    Buffer.byteLength(name) <= MAX_NAME_BYTES
  );
}

function firstOf(checks: readonly (() => Unstorable | undefined)[]): Unstorable | undefined {
  for (const check of checks) {
    const found = check();
    if (found) return found;
  }
  return undefined;
}

function textSize(text: string): number {
  return Buffer.byteLength(text) + 1;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
