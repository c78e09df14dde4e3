/** The deploy-time parameters of every service, each with its own description. */
import {
  defineBooleanParameter,
  defineEnumParameter,
  defineIntegerParameter,
  parseParameters,
  defineStringParameter,
} from './defineParameter.ts';

/** https://cloud.google.com/functions/docs/locations */
const REGION_PATTERN = /^[a-z]+-[a-z]+\d{1,2}$/;
/** https://cloud.google.com/firestore/docs/manage-databases */
const DATABASE_ID_PATTERN = /^(\(default\)|[a-z][a-z0-9-]{2,61}[a-z0-9])$/;
/** `NAME@`, or an address. The names of Google's own accounts may begin with a number or have dots. */
const SERVICE_ACCOUNT_PATTERN =
  /^([a-z][a-z0-9-]{4,28}[a-z0-9]@|[a-z0-9]([a-z0-9.-]*[a-z0-9])?@([a-z0-9-]+\.)*gserviceaccount\.com)?$/;
/** The host in the origin of a web page: lower case, as browsers send it. */
const WEB_HOST_PATTERN = String.raw`([a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:]+\])`;
/** The origin of a page in a web view or an extension, such as `capacitor://localhost`. Browsers do not change the case of its host. */
const APP_ORIGIN_PATTERN = String.raw`(?!https?:)[a-z][a-z0-9+.-]*://[A-Za-z0-9._~-]+`;
/** One origin as browsers and web views send it, without a path or a slash at the end; `*` for all. */
const ORIGIN_PATTERN = String.raw`(\*|null|(https?://${WEB_HOST_PATTERN}|${APP_ORIGIN_PATTERN})(:\d{1,5})?)`;
const ORIGINS_PATTERN = new RegExp(`^${ORIGIN_PATTERN}( *, *${ORIGIN_PATTERN})*$`);

/** The number of documents that a request may refer to or ask for at the cost of one request. */
export const DOCUMENTS_PER_RATE_LIMIT_UNIT = 20;

export const region = defineStringParameter(
  'REGION',
  REGION_PATTERN,
  'the id of a region, such as us-central1',
  {
    default: 'us-central1',
    description: 'The region of the functions. Choose the one of the Firestore database.',
  },
);

export const databaseId = defineStringParameter(
  'DATABASE_ID',
  DATABASE_ID_PATTERN,
  'the id of a Firestore database: (default), or 4 to 63 of a-z, 0-9 and -: a letter first, no - last',
  {
    default: '(default)',
    description: 'The id of the Firestore database: (default), or the id of a named database.',
  },
);

export const minInstances = defineIntegerParameter('MIN_INSTANCES', 0, 1000, {
  default: 0,
  description:
    'The minimum number of instances of each function with `keepWarm`. They avoid cold starts, and are always billed.',
});

export const maxInstances = defineIntegerParameter('MAX_INSTANCES', 1, 1000, {
  default: 5,
  description: 'The maximum number of instances of each function. It limits the bill.',
});

export const concurrency = defineIntegerParameter('CONCURRENCY', 1, 250, {
  default: 80,
  description:
    'The maximum number of requests that an instance serves at a time. Some functions have a lower maximum.',
});

export const serviceAccount = defineStringParameter(
  'SERVICE_ACCOUNT',
  SERVICE_ACCOUNT_PATTERN,
  'nothing, the address of a service account, or NAME@ for one of the same project',
  {
    default: '',
    description:
      'The service account of the functions: its address, or NAME@ for one of the same project. If empty, the default compute service account.',
  },
);

export const deadlineSeconds = defineIntegerParameter('DEADLINE_SECONDS', 1, 30, {
  default: 10,
  description:
    'The deadline of a request, in seconds from its start. The client then gets 503. Some functions have a higher minimum.',
});

export const userRequestsPerMinute = defineIntegerParameter(
  'USER_REQUESTS_PER_MINUTE',
  0,
  1_000_000,
  {
    default: 300,
    description: `The rate limit of a signed-in user: requests per minute to one instance of a function. 0 disables it. A request counts once for each ${DOCUMENTS_PER_RATE_LIMIT_UNIT} documents that it names or asks for, rounded up.`,
  },
);

export const allowedOrigins = defineStringParameter(
  'ALLOWED_ORIGINS',
  ORIGINS_PATTERN,
  '*, or origins separated by commas, such as https://www.example.com, capacitor://localhost or null: no path, no slash at the end',
  {
    default: '*',
    description:
      'The origins whose pages and web views may call the API: * or origins separated by commas.',
  },
);

export const checkRevoked = defineBooleanParameter(
  'CHECK_REVOKED',
  'Check with Firebase Auth in every request of a signed-in user that the token is not revoked and the account not disabled.',
);

export const logCallers = defineBooleanParameter(
  'LOG_CALLERS',
  'Log a hash of the caller’s uid, to find the requests of a user, and, for a 403 or 404, of the document ID.',
);

export const appCheck = defineEnumParameter('APP_CHECK', ['off', 'monitor', 'enforce'], {
  default: 'off',
  description:
    'What happens to requests without a valid App Check token: off (nothing), monitor (a warning in the log) or enforce (403).',
});

/**
 * Checks the parameters of this process, including those that the service declares. Throws if one is
 * invalid. The deploy then fails, or the new revision does not start and the previous one keeps
 * serving.
 */
export function assertParameters(): void {
  parseParameters();
  const minimum = minInstances.value();
  const maximum = maxInstances.value();
  if (minimum > maximum) {
    throw new Error(`MIN_INSTANCES=${minimum} is above MAX_INSTANCES=${maximum}.`);
  }
}
