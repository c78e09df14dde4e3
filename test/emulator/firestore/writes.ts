import { isDeepStrictEqual } from 'node:util';
import { inMilliseconds, sameTime, type WholeTime } from './clock.ts';
import { fieldPathSegments } from './fieldMask.ts';
import type { Document, Fields, FieldTransform, Value, Write } from './messages.ts';
import { Status, StatusError } from './status.ts';
import { numberOf, storedFields, storedValue, sum } from './values.ts';

/** A document with all its metadata. */
export interface StoredDocument extends Document {
  readonly fields: Fields;
  readonly createTime: WholeTime;
  readonly updateTime: WholeTime;
}

/** The result of a write; the document is undefined if it was deleted. */
export interface Written {
  readonly document: StoredDocument | undefined;
  readonly transformResults: readonly Value[];
}

/** The name of the document that a write changes. */
export function nameWritten(write: Write): string {
  const name = write.update?.name ?? write.transform?.document ?? write.delete;
  if (!name) throw new StatusError(Status.INVALID_ARGUMENT, 'empty write operation');
  return name;
}

/** Throws if a precondition of the write fails. */
export function requireCurrent(
  { currentDocument }: Write,
  name: string,
  stored: StoredDocument | undefined,
): void {
  const { exists, updateTime } = currentDocument ?? {};
  if (updateTime && !(stored && sameTime(stored.updateTime, updateTime))) {
    throw new StatusError(
      Status.FAILED_PRECONDITION,
      `the stored version of ${name} does not match the required base version`,
    );
  }
  if (exists === true && !stored) {
    throw new StatusError(Status.NOT_FOUND, `No document to update: ${name}`);
  }
  if (exists === false && stored) {
    throw new StatusError(Status.ALREADY_EXISTS, `Document already exists: ${name}`);
  }
}

/**
 * Throws if a write contradicts earlier ones of the same commit to the same document. Existence is checked after them,
 * but the update time before all of them, so the first one must have named it.
 */
export function requireFollowing(
  { currentDocument }: Write,
  first: Write,
  stored: StoredDocument | undefined,
): void {
  const { exists, updateTime } = currentDocument ?? {};
  const base = first.currentDocument?.updateTime;
  const isOfSameVersion = !updateTime || (base && sameTime(base, updateTime));
  const fits = typeof exists !== 'boolean' || exists === (stored !== undefined);
  if (isOfSameVersion && fits) return;
  throw new StatusError(
    Status.INVALID_ARGUMENT,
    'Contradictory preconditions of two writes to one document.',
  );
}

/**
 * Computes the result of a write at a time. As in the service, a write that changes nothing leaves the update time
 * unchanged.
 */
export function written(
  write: Write,
  stored: StoredDocument | undefined,
  time: WholeTime,
): Written {
  if (write.delete) return { document: undefined, transformResults: [] };
  const name = nameWritten(write);
  const transforms = write.updateTransforms ?? write.transform?.fieldTransforms ?? [];
  const mask = write.transform ? [] : write.updateMask?.fieldPaths;
  const sent = storedFields(write.update?.fields);
  let fields = write.updateMask || write.transform ? (stored?.fields ?? {}) : sent;
  for (const path of mask ?? []) {
    const segments = fieldPathSegments(path);
    fields = withValue(fields, segments, valueAt(sent, segments));
  }
  const transformResults: Value[] = [];
  for (const transform of transforms) {
    const segments = fieldPathSegments(transform.fieldPath ?? '');
    const { value, result } = transformed(transform, valueAt(fields, segments), time);
    fields = withValue(fields, segments, value);
    transformResults.push(result);
  }
  const document =
    stored && isDeepStrictEqual(fields, stored.fields)
      ? stored
      : { name, fields, createTime: stored?.createTime ?? time, updateTime: time };
  return { document, transformResults };
}

function transformed(
  transform: FieldTransform,
  base: Value | undefined,
  time: WholeTime,
): { value: Value; result: Value } {
  const { increment, maximum, minimum, appendMissingElements, removeAllFromArray } = transform;
  const both = (value: Value) => ({ value, result: value });
  if (transform.setToServerValue === 'REQUEST_TIME') {
    return both({ timestampValue: inMilliseconds(time) });
  }
  if (increment) return both(sum(base, storedValue(increment)));
  if (maximum) return both(extreme(base, storedValue(maximum), (a, b) => a > b));
  if (minimum) return both(extreme(base, storedValue(minimum), (a, b) => a < b));
  const values = base?.arrayValue?.values ?? [];
  const elements = (appendMissingElements ?? removeAllFromArray)?.values?.map(storedValue) ?? [];
  const result: Value = { nullValue: 'NULL_VALUE' };
  if (appendMissingElements) {
    const all = [...values];
    for (const element of elements) {
      if (!all.some((each) => isEqual(each, element))) all.push(element);
    }
    return { value: { arrayValue: { values: all } }, result };
  }
  if (removeAllFromArray) {
    const left = values.filter((value) => !elements.some((each) => isEqual(each, value)));
    return { value: { arrayValue: { values: left } }, result };
  }
  throw new StatusError(Status.INVALID_ARGUMENT, 'A transform without an operation.');
}

/** The operand, if there is no number yet or the operand is beyond it. */
function extreme(
  base: Value | undefined,
  operand: Value,
  isBeyond: (operand: number, base: number) => boolean,
): Value {
  const number = base && numberOf(base);
  if (base === undefined || number === undefined) return operand;
  return isBeyond(numberOf(operand) ?? NaN, number) ? operand : base;
}

/** Equality as in queries: the integer 1 equals the double 1. */
function isEqual(a: Value, b: Value): boolean {
  const number = numberOf(a);
  return number === undefined ? isDeepStrictEqual(a, b) : number === numberOf(b);
}

function valueAt(fields: Fields, [first, ...rest]: readonly string[]): Value | undefined {
  const value = first !== undefined && Object.hasOwn(fields, first) ? fields[first] : undefined;
  if (rest.length === 0) return value;
  return valueAt(value?.mapValue?.fields ?? {}, rest);
}

/** Sets the value at a path, or removes it if undefined. A value on the path that is not a map is replaced. */
function withValue(
  fields: Fields,
  [first = '', ...rest]: readonly string[],
  value: Value | undefined,
): Fields {
  const { [first]: present, ...others } = fields;
  if (rest.length === 0) return value === undefined ? others : { ...fields, [first]: value };
  const below = present?.mapValue?.fields;
  if (value === undefined && !below) return fields;
  return { ...fields, [first]: { mapValue: { fields: withValue(below ?? {}, rest, value) } } };
}
