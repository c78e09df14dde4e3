/** Describes the errors of the service for public/openapi.json. */
import type { EndpointDeclaration, ErrorCode } from '@tattoo-marketplace/endpoints';

/** The description of an error status. */
interface ErrorStatus {
  /** The values of `X-Error-Code`. */
  readonly codes: readonly ErrorCode[];
  readonly description: string;
  /** The headers that not every error has. */
  readonly headers?: readonly ErrorHeaderName[];
  /** Returns whether an endpoint returns the error without declaring it. Default: every endpoint does. */
  readonly appliesTo?: (declaration: EndpointDeclaration) => boolean;
}

type ErrorHeaderName =
  'WWW-Authenticate' | 'Allow' | 'Retry-After' | 'RateLimit' | 'RateLimit-Policy';

const hasBody = ({ body }: EndpointDeclaration) => body !== undefined;

/** The statuses of all errors. */
export const ERRORS: Readonly<Record<number, ErrorStatus>> = {
  400: {
    codes: ['invalid-argument', 'cursor-not-found'],
    description: 'The request is invalid.',
    appliesTo: ({ params, query, body }) => (params ?? query ?? body) !== undefined,
  },
  401: {
    codes: ['unauthenticated'],
    description: 'The ID token is missing, invalid or expired.',
    headers: ['WWW-Authenticate'],
    appliesTo: ({ access }) => access === 'signedIn',
  },
  403: {
    codes: ['permission-denied', 'app-check'],
    description: 'App Check is enforced, and the request has no valid App Check token.',
  },
  404: {
    codes: ['not-found'],
    description: 'No operation has this path: for example, a parameter in it is empty.',
    // An empty path parameter does not match the path.
    appliesTo: ({ params }) => params !== undefined,
  },
  405: {
    codes: ['method-not-allowed'],
    description: 'This path does not support the method.',
    headers: ['Allow'],
  },
  406: {
    codes: ['not-acceptable'],
    description: 'The response is too large for a caller that does not accept gzip.',
    appliesTo: () => false,
  },
  408: {
    codes: ['request-timeout'],
    description: 'The body did not arrive in time.',
    appliesTo: hasBody,
  },
  409: {
    codes: ['already-exists'],
    description: 'The new document exists already, and belongs to somebody else.',
    appliesTo: ({ createsDocument }) => createsDocument === true,
  },
  413: {
    codes: ['payload-too-large'],
    description: 'The body is larger than 1 MiB.',
    appliesTo: hasBody,
  },
  415: {
    codes: ['unsupported-media-type'],
    description: 'The headers do not declare the body as uncompressed JSON in UTF-8.',
    appliesTo: hasBody,
  },
  429: {
    codes: ['resource-exhausted'],
    description: 'This user has sent too many requests.',
    headers: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
    appliesTo: ({ access }) => access === 'signedIn',
  },
  500: {
    codes: ['internal'],
    description: 'An internal error of the service.',
  },
  503: {
    codes: ['unavailable', 'outcome-unknown'],
    description:
      'The service is temporarily unavailable, or could not respond in time. `X-Error-Code` says what is known: `unavailable` (nothing was done, and nothing will be) or, for writes, `outcome-unknown` (all of it or nothing was done, or may be done a moment later).',
    headers: ['Retry-After'],
  },
};

/** All values of `X-Error-Code`. */
export const ERROR_CODES = Object.values(ERRORS).flatMap(({ codes }) => codes);

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
  return Object.entries(ERRORS).flatMap(([status, { codes, appliesTo, ...error }]) => {
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
