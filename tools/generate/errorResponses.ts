/** Describes the errors of the service for public/openapi.json. */
import {
  HTTP_STATUS_BY_CODE,
  type EndpointDeclaration,
  type ErrorCode,
} from '@tattoo-marketplace/endpoints';

/** The description of an error status. */
interface ErrorStatus {
  readonly description: string;
  /** The headers that not every error has. */
  readonly headers?: readonly ErrorHeaderName[];
  /** Returns whether an endpoint returns the error without declaring it. Default: every endpoint does. */
  readonly appliesTo?: (declaration: EndpointDeclaration) => boolean;
}

type ErrorHeaderName =
  'WWW-Authenticate' | 'Allow' | 'Retry-After' | 'RateLimit' | 'RateLimit-Policy';

const hasBody = ({ body }: EndpointDeclaration) => body !== undefined;

type Status = 500 | (typeof HTTP_STATUS_BY_CODE)[keyof typeof HTTP_STATUS_BY_CODE];

/** The statuses of all errors. */
const STATUSES: Readonly<Record<Status, ErrorStatus>> = {
  400: {
    description: 'The request is invalid.',
    appliesTo: ({ params, query, body }) => (params ?? query ?? body) !== undefined,
  },
  401: {
    description: 'The ID token is missing, invalid or expired.',
    headers: ['WWW-Authenticate'],
    appliesTo: ({ access }) => access === 'signedIn',
  },
  403: {
    description: 'App Check is enforced, and the request has no valid App Check token.',
  },
  404: {
    description: 'No operation has this path: for example, a parameter in it is empty.',
    // An empty path parameter does not match the path.
    appliesTo: ({ params }) => params !== undefined,
  },
  405: {
    description: 'This path does not support the method.',
    headers: ['Allow'],
  },
  406: {
    description: 'The response is too large for a caller that does not accept gzip.',
    appliesTo: () => false,
  },
  408: {
    description: 'The body did not arrive in time.',
    appliesTo: hasBody,
  },
  409: {
    description: 'The new document exists already, and belongs to somebody else.',
    appliesTo: ({ createsDocument }) => createsDocument === true,
  },
  413: {
    description: 'The body is larger than 1 MiB.',
    appliesTo: hasBody,
  },
  415: {
    description: 'The headers do not declare the body as uncompressed JSON in UTF-8.',
    appliesTo: hasBody,
  },
  429: {
    description: 'This user has sent too many requests.',
    headers: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
    appliesTo: ({ access }) => access === 'signedIn',
  },
  500: {
    description: 'An internal error of the service.',
  },
  503: {
    description:
      'The service is temporarily unavailable, or could not respond in time. `X-Error-Code` says what is known: `unavailable` (nothing was done, and nothing will be) or, for writes, `outcome-unknown` (all of it or nothing was done, or may be done a moment later).',
    headers: ['Retry-After'],
  },
};

/** All errors by status. `codes` are the values of `X-Error-Code`. */
export const ERRORS = Object.entries(STATUSES).map(([status, error]) => ({
  status,
  codes: findCodes(Number(status)),
  ...error,
}));

function findCodes(status: number): ErrorCode[] {
  if (status === 500) return ['internal'];
  const codes = Object.entries(HTTP_STATUS_BY_CODE) as [ErrorCode, number][];
  return codes.flatMap(([code, codeStatus]) => (codeStatus === status ? [code] : []));
}

/** All values of `X-Error-Code`. */
export const ERROR_CODES = ERRORS.flatMap(({ codes }) => codes);

/** Returns a sentence about who may call an endpoint; undefined if all callers may. */
export function getRestriction({ onlyFor }: EndpointDeclaration): string | undefined {
  return onlyFor && `Only ${onlyFor} may do this.`;
}

/** An error of an endpoint. */
export interface EndpointError {
  readonly status: string;
  readonly description: string;
  /** The headers that not every error has. */
  readonly headers: readonly ErrorHeaderName[];
  /** True if the endpoint declares the description. */
  readonly isSpecific: boolean;
}

/** Returns the errors of an endpoint by status: the errors that it declares, and the errors that apply to it. */
export function getErrors(declaration: EndpointDeclaration): EndpointError[] {
  const forbidden = getRestriction(declaration);
  const declaredErrors = Object.entries({
    ...(forbidden && { 'permission-denied': forbidden }),
    ...declaration.errors,
  }) as [ErrorCode, string][];
  return ERRORS.flatMap(({ status, codes, appliesTo, ...error }) => {
    const declaredDescription = declaredErrors.findLast(([code]) => codes.includes(code))?.[1];
    if (declaredDescription === undefined && appliesTo?.(declaration) === false) return [];
    // Any endpoint may require App Check.
    const hasTwoCauses = status === '403' && declaredDescription !== undefined;
    const description = hasTwoCauses
      ? `${declaredDescription} Or: ${error.description}`
      : (declaredDescription ?? error.description);
    const isSpecific = declaredDescription !== undefined;
    return [{ status, description, headers: error.headers ?? [], isSpecific }];
  });
}
