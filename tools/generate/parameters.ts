import { declaredParams } from 'firebase-functions/params';
import '../../functions/src/index.ts';

/** A deploy-time parameter in the format of the Firebase CLI. */
interface Parameter {
  readonly name: string;
  readonly type: string;
  readonly default: string | number | boolean;
  readonly description: string;
  readonly input?: {
    readonly text?: { readonly validationErrorMessage?: string };
    readonly select?: { readonly options: readonly { readonly value: string }[] };
  };
}

/** Returns the parameters of all functions, without secrets: no file contains their values. */
export function getDeclaredParameters(): readonly Parameter[] {
  const parameters = declaredParams as unknown as readonly { toSpec(): Parameter }[];
  return parameters.map((parameter) => parameter.toSpec()).filter(({ type }) => type !== 'secret');
}

/** Describes the allowed values: `an integer from 1 to 30`; empty if any text is allowed. */
function describeAllowedValues({ type, input }: Parameter): string {
  if (input?.select) return input.select.options.map(({ value }) => value).join(', ');
  if (type === 'boolean') return 'true or false';
  const message = input?.text?.validationErrorMessage ?? (type === 'int' ? 'an integer' : '');
  return message.replace(/^Enter /, '').replace(/\.$/, '');
}

const HEAD = `# The deploy-time parameters with their defaults: copy this file to functions/.env.YOUR_PROJECT and change it there.
# The copy contains no secrets: commit it, so that all developers and CI deploy the same values. Without it, a deploy asks for each value.
# Written by \`npm run generate\` from the parameters that the functions declare.
`;

/** Formats functions/.env.example. */
export function formatExampleFile(parameters: readonly Parameter[]): string {
  const entries = parameters.map((parameter) => {
    const values = describeAllowedValues(parameter);
    return [
      `# ${parameter.description}`,
      ...(values === '' ? [] : [`# Allowed: ${values}.`]),
      `${parameter.name}=${String(parameter.default)}\n`,
    ].join('\n');
  });
  return [HEAD, ...entries].join('\n');
}

/**
 * Adds the parameters that a file of environment variables lacks, with their defaults. The emulators would append them to
 * the tracked file at every start.
 */
export function addMissingParameters(text: string, parameters: readonly Parameter[]): string {
  const missing = parameters.filter(({ name }) => !new RegExp(`^${name}=`, 'm').test(text));
  return (
    text + missing.map((parameter) => `${parameter.name}=${String(parameter.default)}\n`).join('')
  );
}
