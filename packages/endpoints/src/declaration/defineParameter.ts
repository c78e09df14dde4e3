/** Declares deploy parameters. The Firebase CLI reads their values from `.env.PROJECT` beside the functions. */
import { defineBoolean, defineInt, defineString, select } from 'firebase-functions/params';

/** A deploy parameter. The environment of a process has its value. */
export interface DeployParameter<Value, Parameter = unknown> {
  /** Does not throw in a process that has called `parseParameters`. */
  value(): Value;
  /** For options that the CLI reads when it deploys. */
  readonly param: Parameter;
}

interface ParameterOptions<Value> {
  readonly default: Value;
  readonly description: string;
}

/** All parameters that the loaded modules have declared. */
const declaredParameters: DeployParameter<unknown>[] = [];

/**
 * Parses all declared parameters. Throws a sentence for each invalid value, because neither the CLI
 * nor the SDK validates the values in `.env` files.
 */
export function parseParameters(): void {
  const problems = declaredParameters.flatMap((parameter) => {
    try {
      parameter.value();
      return [];
    } catch (error) {
      return [(error as Error).message];
    }
  });
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

/** Declares a string that matches a pattern. `allowed` describes the allowed strings, for messages. */
export function defineStringParameter(
  name: string,
  pattern: RegExp,
  allowed: string,
  options: ParameterOptions<string>,
) {
  const parameter = defineString(name, {
    ...options,
    input: createPromptValidation(pattern, allowed),
  });
  return createParameter(parameter, allowed, (value) => (pattern.test(value) ? value : undefined));
}

/** Declares an integer in decimal digits. */
export function defineIntegerParameter(
  name: string,
  min: number,
  max: number,
  options: ParameterOptions<number>,
) {
  const allowed = `an integer from ${min} to ${max}`;
  const input = createPromptValidation(/^\d+$/, allowed);
  return createParameter(defineInt(name, { ...options, input }), allowed, (value) => {
    const number = /^\d+$/.test(value) ? Number(value) : NaN;
    return number >= min && number <= max ? number : undefined;
  });
}

/** Declares a boolean. Its default is false. */
export function defineBooleanParameter(
  name: string,
  description: string,
  { default: defaultValue = false }: { readonly default?: boolean } = {},
) {
  const parameter = defineBoolean(name, { default: defaultValue, description });
  return createParameter(parameter, 'true or false', (value) =>
    value === 'true' || value === 'false' ? value === 'true' : undefined,
  );
}

/** Declares a string that is one of these values. */
export function defineEnumParameter<const Value extends string>(
  name: string,
  values: readonly Value[],
  options: ParameterOptions<Value>,
) {
  const parameter = defineString(name, { ...options, input: select([...values]) });
  return createParameter(parameter, values.join(', '), (value) =>
    values.find((allowedValue) => allowedValue === value),
  );
}

/** Creates the validation of values that are entered at the CLI's prompt. */
function createPromptValidation(pattern: RegExp, allowed: string) {
  return {
    text: { validationRegex: pattern.source, validationErrorMessage: `Enter ${allowed}.` },
  };
}

/**
 * Creates a parameter that is parsed from the environment once. `parse` returns undefined for an
 * invalid value. Replaces the SDK's `value()`, which returns 0 for a missing or malformed number
 * and false for anything but `true`.
 */
function createParameter<
  Value,
  Parameter extends { readonly name: string; readonly options: { readonly default?: unknown } },
>(
  param: Parameter,
  allowed: string,
  parse: (text: string) => Value | undefined,
): DeployParameter<Value, Parameter> {
  const { name, options } = param;
  let cachedValue: Value | undefined;

  function value(): Value {
    if (cachedValue !== undefined) return cachedValue;
    const text = process.env[name] ?? String(options.default);
    cachedValue = parse(text);
    if (cachedValue !== undefined) return cachedValue;
    throw new Error(`${name}=${text} is invalid. Allowed: ${allowed}.`);
  }

  const parameter = { param, value };
  declaredParameters.push(parameter);
  return parameter;
}
