/** The deploy-time parameters: what whoever deploys the service decides. The CLI asks for them, or takes the defaults. */
import {
  defineBoolean,
  defineInt,
  defineString,
  select,
  type Expression,
} from 'firebase-functions/params';

/** https://cloud.google.com/firestore/docs/manage-databases */
const DATABASE_ID = /^(\(default\)|[a-z][a-z0-9-]{2,61}[a-z0-9])$/;

/** What a parameter says of itself, and what it is where nobody says otherwise. */
interface Description<Value> {
  readonly default: Value;
  readonly label: string;
  readonly description: string;
}

/** A parameter that is read while the service runs; `value()` throws where what was deployed does not fit. */
export interface Setting<Value> {
  value(): Value;
}

/** Where the functions run. */
export const region = defineString('REGION', {
  default: 'us-central1',
  label: 'Region',
  description: 'The region in which the functions run: best that of the Firestore database.',
});

/** The Firestore database of the service. */
export const databaseId = setting(
  defineString('DATABASE_ID', {
    default: '(default)',
    input: matching(
      DATABASE_ID,
      'Enter the id of a Firestore database: (default), or 4 to 63 of a-z, 0-9 and -.',
    ),
    label: 'Database',
    description: 'The id of the Firestore database: (default), or that of a named one.',
  }),
  (text) => (DATABASE_ID.test(text) ? text : undefined),
);

/** How many instances of each function wait for calls. */
export const minInstances = integer('MIN_INSTANCES', {
  default: 0,
  min: 0,
  max: 1000,
  pattern: /^(1000|\d{1,3})$/,
  label: 'Minimum instances',
  description:
    'How many instances of each function are kept waiting, and paid for, so that calls meet no cold start.',
}).parameter;

/** How many instances of each function there may be. */
export const maxInstances = integer('MAX_INSTANCES', {
  default: 20,
  min: 1,
  max: 1000,
  pattern: /^(1000|[1-9]\d{0,2})$/,
  label: 'Maximum instances',
  description: 'How many instances of each function there may be: what bounds the bill.',
}).parameter;

/** How many requests one instance answers at a time. */
export const concurrency = integer('CONCURRENCY', {
  default: 80,
  min: 1,
  max: 1000,
  pattern: /^(1000|[1-9]\d{0,2})$/,
  label: 'Concurrency',
  description: 'How many requests one instance answers at a time.',
}).parameter;

/** How old the artist list may be, in seconds, in instances and the CDN; 0 turns caching off. */
export const publicCacheSeconds = integer('PUBLIC_CACHE_SECONDS', {
  default: 60,
  min: 0,
  max: 86_400,
  pattern: /^(86400|86[0-3]\d\d|8[0-5]\d{3}|[1-7]?\d{1,4})$/,
  label: 'Artist list cache seconds',
  description:
    'How old the artist list may be, in seconds, in instances and the CDN; 0 turns caching off.',
});

/** How old a public page may be, in seconds, in instances and the CDN; 0 turns caching off. */
export const pageCacheSeconds = integer('PAGE_CACHE_SECONDS', {
  default: 10,
  min: 0,
  max: 86_400,
  pattern: /^(86400|86[0-3]\d\d|8[0-5]\d{3}|[1-7]?\d{1,4})$/,
  label: 'Page cache seconds',
  description:
    'How old a page of flash or gallery photos may be, in seconds, in instances and the CDN; 0 turns caching off.',
});

/** How long the work of one request may take before the caller gets 503, in seconds. */
export const deadlineSeconds = integer('DEADLINE_SECONDS', {
  default: 10,
  min: 1,
  max: 30,
  pattern: /^(30|[12]\d|[1-9])$/,
  label: 'Deadline seconds',
  description: 'How long the work of one request may take before the caller gets 503, in seconds.',
});

/** How many requests a signed-in user may send to an instance within a minute; 0 is no limit. */
export const userRequestsPerMinute = integer('USER_REQUESTS_PER_MINUTE', {
  default: 300,
  min: 0,
  max: 1_000_000,
  pattern: /^(1000000|\d{1,6})$/,
  label: 'Requests per user and minute',
  description:
    'How many requests a signed-in user may send to one instance of a function within a minute; 0 is no limit.',
});

/** How many requests an address may send to an instance within a minute; 0 is no limit. */
export const addressRequestsPerMinute = integer('ADDRESS_REQUESTS_PER_MINUTE', {
  default: 0,
  min: 0,
  max: 1_000_000,
  pattern: /^(1000000|\d{1,6})$/,
  label: 'Requests per address and minute',
  description:
    'How many requests an address may send to one instance of a function within a minute; 0 is no limit. Only for functions that are called directly: behind Hosting or a load balancer many callers share an address.',
});

/** The web origins whose pages may call: all, or those listed. */
export const allowedOrigins = setting(
  defineString('ALLOWED_ORIGINS', {
    default: '*',
    label: 'Allowed origins',
    description: 'The web origins whose pages may call: * or origins separated by commas.',
  }),
  (text) => {
    const origins = text.split(',').map((origin) => origin.trim());
    if (origins.includes('*')) return '*';
    return origins.every((origin) => URL.parse(origin)?.origin === origin) ? origins : undefined;
  },
);

/** Whether endpoints that write ask Firebase Auth, on each call, if the token was revoked or the account disabled. */
export const checkRevoked = setting(
  defineBoolean('CHECK_REVOKED', {
    default: false,
    label: 'Check revoked',
    description:
      'Whether endpoints that write ask Firebase Auth on each call if the token was revoked or the account disabled.',
  }),
  (text) => (text === 'true' || text === 'false' ? text === 'true' : undefined),
);

const APP_CHECK_MODES = ['off', 'monitor', 'enforce'] as const;

/** What is done about callers that Firebase App Check does not attest to be the apps: nothing, a log line, a refusal. */
export const appCheck = setting(
  defineString('APP_CHECK', {
    default: 'off',
    input: select([...APP_CHECK_MODES]),
    label: 'App Check',
    description:
      'What is done about callers that Firebase App Check does not attest to be the apps: off (nothing), monitor (a line in the log) or enforce (403).',
  }),
  (text) => APP_CHECK_MODES.find((mode) => mode === text),
);

/**
 * A parameter that is an integer within bounds. The pattern says the same as the bounds, for the CLI, which knows
 * patterns only.
 */
function integer(
  name: string,
  {
    min,
    max,
    pattern,
    ...described
  }: Description<number> & {
    readonly min: number;
    readonly max: number;
    readonly pattern: RegExp;
  },
): Setting<number> & { readonly parameter: Expression<number> } {
  const parameter = defineInt(name, {
    ...described,
    input: matching(pattern, `Enter an integer from ${min} to ${max}.`),
  });
  const read = (text: string) => (pattern.test(text) ? Number(text) : undefined);
  return { parameter, ...setting(parameter, read) };
}

/** A text that the CLI takes only where it matches. */
function matching(pattern: RegExp, validationErrorMessage: string) {
  return { text: { validationRegex: pattern.source, validationErrorMessage } };
}

/**
 * Reads what was deployed from the environment; `read` gives undefined for what does not fit. The SDK's own `value()` is
 * not used: it takes 0 for a number that is missing or none, and false for whatever is not `true`.
 */
function setting<Value>(
  { name, options }: { readonly name: string; readonly options: { readonly default?: unknown } },
  read: (text: string) => Value | undefined,
): Setting<Value> {
  return {
    value: () => {
      const value = read(process.env[name] ?? String(options.default));
      if (value === undefined)
        throw new Error(`The deployed value of the parameter ${name} is not valid.`);
      return value;
    },
  };
}
