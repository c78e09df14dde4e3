/** Declares deploy-time parameters. The Firebase CLI reads their values from `.env.PROJECT` beside the functions. */
import { defineBoolean, defineInt, defineString, select } from 'firebase-functions/params';

/** A parameter that is read at run time; `value()` throws if the deployed value is invalid. */
export interface Setting<Value, Parameter = unknown> {
  value(): Value;
  /** For options that the CLI reads when it deploys. */
  readonly parameter: Parameter;
}

/**
 * Whether the Firebase CLI loaded this code to discover the functions of a deploy. Invalid
 * parameters are rejected right then, because the CLI does not validate the values in `.env` files.
 */
export const isDeploying = process.env.FUNCTIONS_CONTROL_API === 'true';

interface Described<Value> {
  readonly default: Value;
  readonly description: string;
}

/** A text that matches a pattern. `allowed` says which texts do. */
export function text(name: string, pattern: RegExp, allowed: string, described: Described<string>) {
  const parameter = defineString(name, { ...described, input: matching(pattern, allowed) });
  return setting(parameter, allowed, (text) => (pattern.test(text) ? text : undefined));
}

/** An integer in decimal digits. */
export function integer(name: string, min: number, max: number, described: Described<number>) {
  const allowed = `an integer from ${min} to ${max}`;
  const input = matching(/^\d+$/, allowed);
  return setting(defineInt(name, { ...described, input }), allowed, (text) => {
    const number = /^\d+$/.test(text) ? Number(text) : NaN;
    return number >= min && number <= max ? number : undefined;
  });
}

/** A switch that is off by default. */
export function trueOrFalse(name: string, description: string) {
  const parameter = defineBoolean(name, { default: false, description });
  return setting(parameter, 'true or false', (text) =>
    text === 'true' || text === 'false' ? text === 'true' : undefined,
  );
}

/** One of some texts. */
export function choice<const Text extends string>(
  name: string,
  texts: readonly Text[],
  described: Described<Text>,
) {
  const parameter = defineString(name, { ...described, input: select([...texts]) });
  return setting(parameter, texts.join(', '), (text) => texts.find((each) => each === text));
}

/** What the CLI accepts at its prompt. */
function matching(pattern: RegExp, allowed: string) {
  return {
    text: { validationRegex: pattern.source, validationErrorMessage: `Enter ${allowed}.` },
  };
}

/**
 * Creates a parameter that is parsed from the environment on first use. `parse` returns undefined
 * for an invalid value. Replaces the SDK's `value()`, which returns 0 for a missing or malformed
 * number and false for anything but `true`.
 */
function setting<
  Value,
  Parameter extends { readonly name: string; readonly options: { readonly default?: unknown } },
>(
  parameter: Parameter,
  allowed: string,
  read: (text: string) => Value | undefined,
): Setting<Value, Parameter> {
  const { name, options } = parameter;
  let known: Value | undefined;
  const value = () => {
    if (known !== undefined) return known;
    const text = process.env[name] ?? String(options.default);
    known = read(text);
    if (known !== undefined) return known;
    throw new Error(`${name}=${text} is invalid. Allowed: ${allowed}.`);
  };
  if (isDeploying) value();
  return { parameter, value };
}
