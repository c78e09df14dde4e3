/** Parsers of untrusted JSON. They throw an `ApiError`. */
import { invalidArgumentError, unimplementedError } from './apiError.ts';

/** Parses an object with these members. Rejects other members, so that nothing is silently ignored. */
export function parseObject<Name extends string>(
  json: unknown,
  ...names: readonly Name[]
): Partial<Record<Name, unknown>> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw invalidArgumentError(`Expected an object with ${names.join()}.`);
  }
  const supported: readonly string[] = names;
  const unsupported = Object.keys(json).find((name) => !supported.includes(name));
  if (unsupported !== undefined) throw unimplementedError(unsupported);
  return json;
}

/** Parses an array. A missing array is empty. */
export function parseArray(json: unknown = []): readonly unknown[] {
  if (!Array.isArray(json)) throw invalidArgumentError('Expected an array.');
  return json as unknown[];
}

/** Parses an enum value. Google's libraries send either its name or its number. */
export function parseEnum<Name extends string>(
  table: Readonly<Record<Name, unknown>>,
  value: unknown,
  firstNumber = 1,
): Name {
  const names = Object.keys(table) as Name[];
  const name = names.find(
    (candidate, index) => candidate === value || index + firstNumber === value,
  );
  if (name === undefined) throw unimplementedError(`the operator ${JSON.stringify(value)}`);
  return name;
}
