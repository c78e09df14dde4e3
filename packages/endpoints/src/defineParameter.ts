/** Declares deploy-time parameters. The Firebase CLI reads their values from `.env.PROJECT` beside the functions. */
import { defineBoolean, defineInt, defineString, select } from 'firebase-functions/params';

/** A parameter that is read at run time; `value()` throws if the deployed value is invalid. */
export interface DeployParameter<Value, Parameter = unknown> {
  value(): Value;
  /** For options that the CLI reads when it deploys. */
  readonly param: Parameter;
}

/**
 * Whether the Firebase CLI loaded this code to discover the functions of a deploy. Invalid
 * parameters are rejected right then, because the CLI does not validate the values in `.env` files.
 */
export const isDeploying = process.env.FUNCTIONS_CONTROL_API === 'true';

interface ParameterOptions<Value> {
  readonly default: Value;
  readonly description: string;
}

/** A text that matches a pattern. `allowed` says which texts do. */
export function stringParameter(
  name: string,
  pattern: RegExp,
  allowed: string,
  described: ParameterOptions<string>,
) {
  const parameter = defineString(name, { ...described, input: promptValidation(pattern, allowed) });
  return createParameter(parameter, allowed, (stringParameter) =>
    pattern.test(stringParameter) ? stringParameter : undefined,
  );
}

/** An integer in decimal digits. */
export function integerParameter(
  name: string,
  min: number,
  max: number,
  described: ParameterOptions<number>,
) {
  const allowed = `an integer from ${min} to ${max}`;
  const input = promptValidation(/^\d+$/, allowed);
  return createParameter(defineInt(name, { ...described, input }), allowed, (stringParameter) => {
    const number = /^\d+$/.test(stringParameter) ? Number(stringParameter) : NaN;
    return number >= min && number <= max ? number : undefined;
  });
}

/** A switch that is off by default. */
export function booleanParameter(name: string, description: string) {
  const parameter = defineBoolean(name, { default: false, description });
  return createParameter(parameter, 'true or false', (stringParameter) =>
    stringParameter === 'true' || stringParameter === 'false'
      ? stringParameter === 'true'
      : undefined,
  );
}

/** One of some texts. */
export function enumParameter<const Text extends string>(
  name: string,
  texts: readonly Text[],
  described: ParameterOptions<Text>,
) {
  const parameter = defineString(name, { ...described, input: select([...texts]) });
  return createParameter(parameter, texts.join(', '), (stringParameter) =>
    texts.find((each) => each === stringParameter),
  );
}

/** What the CLI accepts at its prompt. */
function promptValidation(pattern: RegExp, allowed: string) {
  return {
    text: { validationRegex: pattern.source, validationErrorMessage: `Enter ${allowed}.` },
  };
}

/**
 * Creates a parameter that is parsed from the environment on first use. `parse` returns undefined
 * for an invalid value. Replaces the SDK's `value()`, which returns 0 for a missing or malformed
 * number and false for anything but `true`.
 */
function createParameter<
  Value,
  Parameter extends { readonly name: string; readonly options: { readonly default?: unknown } },
>(
  parameter: Parameter,
  allowed: string,
  read: (stringParameter: string) => Value | undefined,
): DeployParameter<Value, Parameter> {
  const { name, options } = parameter;
  let cachedValue: Value | undefined;
  const value = () => {
    if (cachedValue !== undefined) return cachedValue;
    const stringParameter = process.env[name] ?? String(options.default);
    cachedValue = read(stringParameter);
    if (cachedValue !== undefined) return cachedValue;
    throw new Error(`${name}=${stringParameter} is invalid. Allowed: ${allowed}.`);
  };
  if (isDeploying) value();
  return { param: parameter, value };
}
