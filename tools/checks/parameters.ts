import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { declaredParams } from 'firebase-functions/params';
import { SUPPORTED_REGIONS } from 'firebase-functions/v1';
import '../../functions/src/index.ts';
import { validators } from '../../functions/src/parameters.ts';
import { UserError } from './commandLine.ts';

/** A deploy-time parameter, as the CLI reads it. */
export interface Parameter {
  readonly name: string;
  readonly type: string;
  readonly default: string | number | boolean;
  readonly description: string;
  readonly input?: {
    readonly text?: { readonly validationRegex?: string; readonly validationErrorMessage?: string };
    readonly select?: { readonly options: readonly { readonly value: string }[] };
  };
}

/** The parameters of all functions, without secrets: their values are not in files. */
export function declaredParameters(): readonly Parameter[] {
  const declared = declaredParams as unknown as readonly { toSpec(): Parameter }[];
  return declared.map((each) => each.toSpec()).filter(({ type }) => type !== 'secret');
}

/** The values of parameters, as read from a dotenv file. */
export type Values = Readonly<Record<string, string | undefined>>;

/** The parameter values of a project, from functions/.env and functions/.env.PROJECT; throws if there is neither. */
export function parameterValues(project: string): {
  readonly values: Readonly<Record<string, string>>;
  readonly files: readonly string[];
} {
  const files = ['functions/.env', `functions/.env.${project}`].filter((file) => existsSync(file));
  if (files.length === 0) {
    throw new UserError(
      `functions/.env.${project} is missing: copy functions/.env.example there and set the parameters.`,
    );
  }
  const texts = files.map((file) => readFileSync(file, 'utf8'));
  return { values: parseEnv(texts.join('\n')) as Record<string, string>, files };
}

/**
 * The problems of parameter values, as sentences. The CLI itself only validates input at its prompt, and deploys any
 * value from a dotenv file.
 */
export function parameterFaults(parameters: readonly Parameter[], values: Values): string[] {
  const { MIN_INSTANCES = '', MAX_INSTANCES = '' } = values;
  const names = new Set(parameters.map(({ name }) => name));
  return [
    ...parameters.flatMap((parameter) => {
      const value = values[parameter.name];
      if (value === undefined) return [`${parameter.name} is missing.`];
      return (validators.get(parameter.name)?.(value) ?? fits(parameter, value))
        ? []
        : [`${parameter.name}=${value} is invalid. Allowed: ${allowed(parameter)}.`];
    }),
    ...Object.keys(values)
      .filter((name) => !names.has(name))
      .map((name) => `${name} is not a parameter: delete the line.`),
    ...(Number(MIN_INSTANCES) > Number(MAX_INSTANCES)
      ? [`MIN_INSTANCES=${MIN_INSTANCES} is above MAX_INSTANCES=${MAX_INSTANCES}.`]
      : []),
  ];
}

/** Warns of a region that may not exist. It is not refused, because the SDK's list lacks newer regions. */
export function regionWarnings({ REGION }: Values): string[] {
  return REGION === undefined || SUPPORTED_REGIONS.some((region) => region === REGION)
    ? []
    : [
        `Warning: REGION=${REGION} may not exist: the Firebase SDK does not list it. npm run check:project asks Google.`,
      ];
}

/** Checks that rules and indexes are deployed to the database that the functions use. */
export function databaseFaults(
  firestore: { readonly database?: string },
  values: Values,
): string[] {
  const { database = '(default)' } = firestore;
  const { DATABASE_ID = '(default)' } = values;
  return DATABASE_ID === database
    ? []
    : [`DATABASE_ID=${DATABASE_ID}, but firestore.database in firebase.json is ${database}.`];
}

/** Whether a value fits a parameter that is not one of the service's own. */
function fits({ type, input }: Parameter, value: string): boolean {
  if (!new RegExp(input?.text?.validationRegex ?? '').test(value)) return false;
  if (input?.select && !input.select.options.some((option) => option.value === value)) return false;
  if (type === 'boolean') return value === 'true' || value === 'false';
  return type !== 'int' || /^-?\d+$/.test(value);
}

/** The allowed values in words: `an integer from 1 to 30`; empty if any text is allowed. */
function allowed({ type, input }: Parameter): string {
  if (input?.select) return input.select.options.map(({ value }) => value).join(', ');
  if (type === 'boolean') return 'true or false';
  const message = input?.text?.validationErrorMessage ?? (type === 'int' ? 'an integer' : '');
  return message.replace(/^Enter /, '').replace(/\.$/, '');
}

const HEAD = `# The deploy-time parameters with their defaults: copy this file to functions/.env.YOUR_PROJECT and change it there.
# The copy contains no secrets: commit it, so that everybody and CI deploy the same. A deploy without it is refused.
# Written by \`npm run generate\` from functions/src/parameters.ts.
`;

/** The text of functions/.env.example. */
export function exampleFile(parameters: readonly Parameter[]): string {
  const entries = parameters.map((parameter) => {
    const values = allowed(parameter);
    return [
      `# ${parameter.description}`,
      ...(values === '' ? [] : [`# Allowed: ${values}.`]),
      `${parameter.name}=${String(parameter.default)}\n`,
    ].join('\n');
  });
  return [HEAD, ...entries].join('\n');
}
