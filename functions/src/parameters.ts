/** The deploy-time parameters: what whoever deploys the service decides. The CLI asks for them, or takes the defaults. */
import {
  defineBoolean,
  defineInt,
  defineString,
  select,
  type Expression,
} from 'firebase-functions/params';

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

/** How many instances of each function wait for calls. */
export const minInstances = integer('MIN_INSTANCES', {
  default: 0,
  min: 0,
  max: 1000,
  label: 'Minimum instances',
  description:
    'How many instances of each function are kept waiting, and paid for, so that calls meet no cold start.',
}).parameter;

/** How many instances of each function there may be. */
export const maxInstances = integer('MAX_INSTANCES', {
  default: 20,
  min: 1,
  max: 1000,
  label: 'Maximum instances',
  description: 'How many instances of each function there may be: what bounds the bill.',
}).parameter;

/** How many requests one instance answers at a time. */
export const concurrency = integer('CONCURRENCY', {
  default: 80,
  min: 1,
  max: 1000,
  label: 'Concurrency',
  description: 'How many requests one instance answers at a time.',
}).parameter;

/** How old a public answer may be, in seconds, wherever it was kept; 0 turns keeping off. */
export const publicCacheSeconds = integer('PUBLIC_CACHE_SECONDS', {
  default: 60,
  min: 0,
  max: 86_400,
  label: 'Public cache seconds',
  description:
    'How old a public answer may be, in seconds, in instances, the CDN and browsers together; 0 turns keeping off.',
});

/** How long the work of one request may take before the caller gets 503, in seconds. */
export const deadlineSeconds = integer('DEADLINE_SECONDS', {
  default: 10,
  min: 1,
  max: 30,
  label: 'Deadline seconds',
  description: 'How long the work of one request may take before the caller gets 503, in seconds.',
});

/** How many requests a signed-in user may send to an instance within a minute; 0 is no limit. */
export const userRequestsPerMinute = integer('USER_REQUESTS_PER_MINUTE', {
  default: 300,
  min: 0,
  max: 1_000_000,
  label: 'Requests per user and minute',
  description:
    'How many requests a signed-in user may send to one instance of a function within a minute; 0 is no limit.',
});

/** How many requests an address may send to an instance within a minute; 0 is no limit. */
export const addressRequestsPerMinute = integer('ADDRESS_REQUESTS_PER_MINUTE', {
  default: 3000,
  min: 0,
  max: 1_000_000,
  label: 'Requests per address and minute',
  description:
    'How many requests an address may send to one instance of a function within a minute; 0 is no limit. Callers that come through Hosting share the addresses of its edge.',
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
      'What is done about callers that Firebase App Check does not attest to be the apps: off (nothing), monitor (a line in the log) or enforce (401).',
  }),
  (text) => APP_CHECK_MODES.find((mode) => mode === text),
);

/** A parameter that is an integer within bounds. */
function integer(
  name: string,
  { min, max, ...described }: Description<number> & { readonly min: number; readonly max: number },
): Setting<number> & { readonly parameter: Expression<number> } {
  const parameter = defineInt(name, {
    ...described,
    input: {
      text: {
        validationRegex: '^\\d+$',
        validationErrorMessage: `Enter an integer from ${min} to ${max}.`,
      },
    },
  });
  const read = (text: string) => {
    const number = /^\d+$/.test(text) ? Number(text) : NaN;
    return number >= min && number <= max ? number : undefined;
  };
  return { parameter, ...setting(parameter, read) };
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
      if (value === undefined) throw new Error(`The parameter ${name} does not fit.`);
      return value;
    },
  };
}
