/**
 * The deploy-time parameters, each with its own description. The Firebase CLI reads them from `functions/.env.PROJECT`.
 */
import {
  defineBoolean,
  defineInt,
  defineString,
  select,
  type Expression,
} from 'firebase-functions/params';

/** https://cloud.google.com/firestore/docs/manage-databases */
const DATABASE_ID = /^(\(default\)|[a-z][a-z0-9-]{2,61}[a-z0-9])$/;

/** https://cloud.google.com/functions/docs/locations */
const REGION = /^[a-z]+-[a-z]+\d{1,2}$/;
/** One origin as browsers send it, or `*` for all: lower case, without a path or a slash at the end. */
const ORIGIN = String.raw`(\*|https?://([a-z0-9-]+(\.[a-z0-9-]+)*|\[[0-9a-f:]+\])(:\d{1,5})?)`;
const ORIGINS = new RegExp(`^ *${ORIGIN}( *, *${ORIGIN})* *$`);

/** The integers that a parameter may have. The CLI only validates by `pattern`, which repeats the limits. */
interface Range {
  readonly min: number;
  readonly max: number;
  readonly pattern: RegExp;
}

const UP_TO_1000: Range = { min: 0, max: 1000, pattern: /^(1000|\d{1,3})$/ };
const FROM_1_TO_1000: Range = { min: 1, max: 1000, pattern: /^(1000|[1-9]\d{0,2})$/ };
const FROM_1_TO_250: Range = { min: 1, max: 250, pattern: /^(250|2[0-4]\d|1\d\d|[1-9]\d?)$/ };
const UP_TO_A_DAY: Range = {
  min: 0,
  max: 86_400,
  pattern: /^(86400|86[0-3]\d\d|8[0-5]\d{3}|[1-7]?\d{1,4})$/,
};
const FROM_1_TO_30: Range = { min: 1, max: 30, pattern: /^(30|[12]\d|[1-9])$/ };
const UP_TO_A_MILLION: Range = { min: 0, max: 1_000_000, pattern: /^(1000000|\d{1,6})$/ };

/** A parameter that is read at run time; `value()` throws if the deployed value is invalid. */
export interface Setting<Value, Parameter = unknown> {
  value(): Value;
  /** For options that the CLI reads when it deploys. */
  readonly parameter: Parameter;
}

export const region = defineString('REGION', {
  default: 'us-central1',
  input: matching(REGION, 'Enter the id of a region, such as us-central1.'),
  label: 'Region',
  description: 'The region of the functions. Choose the one of the Firestore database.',
});

export const databaseId = setting(
  defineString('DATABASE_ID', {
    default: '(default)',
    input: matching(
      DATABASE_ID,
      'Enter the id of a Firestore database: (default), or 4 to 63 characters of a-z, 0-9 and -.',
    ),
    label: 'Database',
    description: 'The id of the Firestore database: (default), or the id of a named database.',
  }),
  (text) => (DATABASE_ID.test(text) ? text : undefined),
);

export const minInstances = integer('MIN_INSTANCES', UP_TO_1000, {
  default: 0,
  label: 'Minimum instances',
  description:
    'The number of instances of each function that always run, and are billed, to avoid cold starts.',
}).parameter;

export const maxInstances = integer('MAX_INSTANCES', FROM_1_TO_1000, {
  default: 20,
  label: 'Maximum instances',
  description: 'The most instances of each function that may run. This limits the bill.',
}).parameter;

export const concurrency = integer('CONCURRENCY', FROM_1_TO_250, {
  default: 80,
  label: 'Concurrency',
  description: 'How many requests one instance serves at a time.',
}).parameter;

export const serviceAccount = defineString('SERVICE_ACCOUNT', {
  default: '',
  input: matching(
    /^([a-z][a-z0-9-]{4,28}[a-z0-9]@([a-z0-9.-]+\.gserviceaccount\.com)?)?$/,
    'Enter nothing, the address of a service account, or NAME@ for one of the same project.',
  ),
  label: 'Service account',
  description:
    'The service account of the functions: its address, or NAME@ for one of the same project. If empty, the default compute service account.',
});

export const publicCacheSeconds = integer('PUBLIC_CACHE_SECONDS', UP_TO_A_DAY, {
  default: 300,
  label: 'Artist list cache seconds',
  description:
    'How long instances and the CDN may cache the artist list, in seconds; 0 turns caching off.',
});

export const pageCacheSeconds = integer('PAGE_CACHE_SECONDS', UP_TO_A_DAY, {
  default: 10,
  label: 'Page cache seconds',
  description:
    'How long instances and the CDN may cache a page of flash or gallery photos, in seconds; 0 turns caching off.',
});

export const deadlineSeconds = integer('DEADLINE_SECONDS', FROM_1_TO_30, {
  default: 10,
  label: 'Deadline seconds',
  description: 'How long a request may take before the caller gets 503, in seconds.',
});

export const userRequestsPerMinute = integer('USER_REQUESTS_PER_MINUTE', UP_TO_A_MILLION, {
  default: 300,
  label: 'Requests per user and minute',
  description:
    'How many requests a signed-in user may send to one instance of a function per minute; 0 means no limit. A request counts once for each 20 documents that it names or asks for, rounded up.',
});

export const allowedOrigins = setting(
  defineString('ALLOWED_ORIGINS', {
    default: '*',
    input: matching(
      ORIGINS,
      'Enter *, or origins such as https://www.example.com separated by commas: no path, no slash at the end.',
    ),
    label: 'Allowed origins',
    description: 'The web origins whose pages may call the API: * or origins separated by commas.',
  }),
  (text) => {
    if (!ORIGINS.test(text)) return undefined;
    const origins = text.split(',').map((origin) => origin.trim());
    return origins.includes('*') ? '*' : origins;
  },
);

export const checkRevoked = setting(
  defineBoolean('CHECK_REVOKED', {
    default: false,
    label: 'Check revoked',
    description:
      'Whether endpoints that write ask Firebase Auth on each call if the token is revoked or the account disabled.',
  }),
  trueOrFalse,
);

export const logCallers = setting(
  defineBoolean('LOG_CALLERS', {
    default: false,
    label: 'Log callers',
    description:
      'Whether a log line has a hash of the uid of the caller, to find the requests of a user.',
  }),
  trueOrFalse,
);

const APP_CHECK_MODES = ['off', 'monitor', 'enforce'] as const;

export const appCheck = setting(
  defineString('APP_CHECK', {
    default: 'off',
    input: select([...APP_CHECK_MODES]),
    label: 'App Check',
    description:
      'What happens to requests without a valid App Check token: off (nothing), monitor (a warning in the log) or enforce (403).',
  }),
  (text) => APP_CHECK_MODES.find((mode) => mode === text),
);

/** An integer parameter. */
function integer(
  name: string,
  { min, max, pattern }: Range,
  described: { readonly default: number; readonly label: string; readonly description: string },
): Setting<number, Expression<number>> {
  const input = matching(pattern, `Enter an integer from ${min} to ${max}.`);
  return setting(defineInt(name, { ...described, input }), (text) =>
    pattern.test(text) ? Number(text) : undefined,
  );
}

function trueOrFalse(text: string): boolean | undefined {
  return text === 'true' || text === 'false' ? text === 'true' : undefined;
}

/** Text that the CLI accepts only if it matches. */
function matching(pattern: RegExp, validationErrorMessage: string) {
  return { text: { validationRegex: pattern.source, validationErrorMessage } };
}

/**
 * Reads a parameter from the environment; `read` returns undefined for an invalid value. The SDK's own `value()` is not
 * used: it reads a missing or malformed number as 0, and anything but `true` as false.
 */
function setting<
  Value,
  Parameter extends { readonly name: string; readonly options: { readonly default?: unknown } },
>(parameter: Parameter, read: (text: string) => Value | undefined): Setting<Value, Parameter> {
  const { name, options } = parameter;
  let known: { readonly text: string; readonly value: Value } | undefined;
  return {
    parameter,
    value: () => {
      const text = process.env[name] ?? String(options.default);
      // Only tests change a parameter of a running process.
      if (known?.text === text) return known.value;
      const value = read(text);
      if (value === undefined)
        throw new Error(`The deployed value of the parameter ${name} is invalid.`);
      known = { text, value };
      return value;
    },
  };
}
