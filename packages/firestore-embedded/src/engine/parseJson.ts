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

/** Parses an array. A missing array is empty, as is null. */
export function parseArray(json: unknown): readonly unknown[] {
  const array = json ?? [];
  if (!Array.isArray(array)) throw invalidArgumentError('Expected an array.');
  return array as unknown[];
}

/** Parses a Boolean; undefined if it is missing. */
export function parseBoolean(json: unknown): boolean | undefined {
  if (json === undefined || typeof json === 'boolean') return json;
  throw invalidArgumentError(`Expected a Boolean instead of ${JSON.stringify(json)}.`);
}

/**
 * Parses an enum value. Google's libraries send either its name or its number. `supported` and `unsupported` have the names
 * in the order of their numbers; `unsupported` has the names of the features.
 */
export function parseEnum<Name extends string>(
  supported: Readonly<Record<Name, unknown>>,
  unsupported: Readonly<Record<string, string>>,
  value: unknown,
  { firstNumber = 1 } = {},
): Name {
  const names = [...Object.keys(supported), ...Object.keys(unsupported)];
  const name = typeof value === 'number' ? names[value - firstNumber] : String(value);
  if (name !== undefined && Object.hasOwn(supported, name)) return name as Name;
  if (name !== undefined && Object.hasOwn(unsupported, name)) {
    throw unimplementedError(String(unsupported[name]));
  }
  throw invalidArgumentError(`Expected one of ${names.join()} instead of ${String(value)}.`);
}

/** Parses a request body. Rejects lone surrogates, which UTF-8 cannot express: JSON contains them as escapes. */
export function parseJsonBody(body: string): unknown {
  if (!/\\ud[89a-f]/i.test(body)) return JSON.parse(body);
  return JSON.parse(body, (name, value: unknown) => {
    if (name.isWellFormed() && (typeof value !== 'string' || value.isWellFormed())) return value;
    throw invalidArgumentError('The body contains a lone surrogate.');
  });
}
