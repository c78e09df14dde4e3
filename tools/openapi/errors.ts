/** The errors of the service as public/openapi.json describes them. */
import type * as z from 'zod';
import type { Declaration } from '../../functions/src/http/declaration.ts';
import type { ErrorCode } from '../../functions/src/errors.ts';
import { exampleOf, type DeployedEndpoint } from '../../dev/shared/deployMap.ts';

/** The description of an error status. */
interface ErrorStatus {
  /** The values of `X-Error-Code`. */
  readonly codes: readonly ErrorCode[];
  readonly description: string;
  /** The headers beyond those of every error. */
  readonly headers?: readonly ('WWW-Authenticate' | 'Allow' | 'Retry-After' | RateLimitHeader)[];
  /** Which endpoints send it, besides those that declare it; all by default. */
  readonly of?: (declaration: Declaration) => boolean;
  /** A message. A test compares those of 4xx with the service. */
  readonly example: string | ((deployed: DeployedEndpoint) => string);
}

type RateLimitHeader = 'RateLimit' | 'RateLimit-Policy';

const hasBody = ({ body }: Declaration) => body !== undefined;

/** The statuses of all errors. */
const ERRORS: Readonly<Record<number, ErrorStatus>> = {
  400: {
    codes: ['invalid-argument', 'cursor-not-found'],
    description: 'The request is invalid.',
    of: ({ params, query, body }) => (params ?? query ?? body) !== undefined,
    example: firstInvalid,
  },
  401: {
    codes: ['unauthenticated'],
    description: 'The ID token is missing, invalid or expired.',
    headers: ['WWW-Authenticate'],
    of: ({ access }) => access === 'signedIn',
    example: 'The ID token is invalid or expired. Sign in again.',
  },
  403: {
    codes: ['permission-denied', 'app-check'],
    description: 'App Check is enforced, and the request has no valid App Check token.',
    example: forbidden,
  },
  404: {
    codes: ['not-found'],
    description: 'The path or a document does not exist.',
    // An empty path parameter does not match the path.
    of: ({ params }) => params !== undefined,
    example: missing,
  },
  405: {
    codes: ['method-not-allowed'],
    description: 'This path does not support the method.',
    headers: ['Allow'],
    example: ({ endpoint }) => `This endpoint only accepts ${endpoint.declaration.method}.`,
  },
  406: {
    codes: ['not-acceptable'],
    description: 'The response is too large for a caller that does not accept gzip.',
    of: () => false,
    example: 'The response is too large to be sent uncompressed: send Accept-Encoding: gzip.',
  },
  408: {
    codes: ['request-timeout'],
    description: 'The body did not arrive in time.',
    of: hasBody,
    example: 'The body did not arrive in time.',
  },
  413: {
    codes: ['payload-too-large'],
    description: 'The body is larger than 1 MiB.',
    of: hasBody,
    example: 'The body must not be larger than 1 MiB.',
  },
  415: {
    codes: ['unsupported-media-type'],
    description: 'The headers do not declare the body as uncompressed JSON in UTF-8.',
    of: hasBody,
    example: 'The Content-Type must be application/json, in UTF-8.',
  },
  429: {
    codes: ['resource-exhausted'],
    description: 'This user has sent too many requests.',
    headers: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
    of: ({ access }) => access === 'signedIn',
    example: 'Too many requests. Please wait a little.',
  },
  500: {
    codes: ['internal'],
    description: 'An internal error of the service.',
    example: 'Something went wrong on our side. Please try again later.',
  },
  503: {
    codes: ['unavailable', 'outcome-unknown'],
    description:
      'The service is temporarily unavailable, or could not respond in time. `X-Error-Code` says what is known: `unavailable` (nothing was done, and nothing will be) or, for writes, `outcome-unknown` (all of it or nothing was done, or may be done a moment later).',
    headers: ['Retry-After'],
    example: 'The service is temporarily unavailable. Please try again in a few seconds.',
  },
};

/** All values of `X-Error-Code`. */
export const ERROR_CODES = Object.values(ERRORS).flatMap(({ codes }) => codes);

/** The errors of an endpoint, by status: its own, and those of every endpoint of its kind. */
export function errorsOf(deployed: DeployedEndpoint) {
  const { declaration } = deployed.endpoint;
  const declared = Object.entries(declaration.errors) as [ErrorCode, string][];
  const unknown = declared.filter(([code]) => !ERROR_CODES.includes(code));
  if (unknown.length > 0) throw new Error(`tools/openapi/errors.ts lacks ${unknown.join(': ')}`);
  return Object.entries(ERRORS).flatMap(([status, { codes, of, example, ...error }]) => {
    const own = declared.findLast(([code]) => codes.includes(code))?.[1];
    if (own === undefined && of?.(declaration) === false) return [];
    // Any endpoint may require App Check.
    const isBoth = status === '403' && own !== undefined;
    const description = isBoth ? `${own} Or: ${error.description}` : (own ?? error.description);
    const message = typeof example === 'string' ? example : example(deployed);
    return [{ status, description, headers: error.headers ?? [], message }];
  });
}

/** The first error in an empty body, in a page of 0 elements, or in an empty query. */
function firstInvalid({ endpoint }: DeployedEndpoint): string {
  const { body, query } = endpoint.declaration;
  const limit = query?.shape.limit as z.ZodType | undefined;
  const maximum = (limit?.meta()?.override as { maximum?: number } | undefined)?.maximum;
  if (!body && maximum !== undefined) return `limit must be an integer from 1 to ${maximum}.`;
  const [field = ''] = Object.keys((body ?? query)?.shape ?? {});
  return `${field} is required.`;
}

function forbidden(deployed: DeployedEndpoint): string {
  if (deployed.endpoint.declaration.errors['permission-denied'] === undefined) {
    return 'The X-Firebase-AppCheck header must be a valid App Check token.';
  }
  const isConversation = deployed.functionId === 'conversations-getMessages';
  return isConversation
    ? 'You are not a participant of this conversation.'
    : `${idField(deployed)} names a document that is not yours.`;
}

function missing(deployed: DeployedEndpoint): string {
  const { params, errors } = deployed.endpoint.declaration;
  if (params) return 'There is no endpoint at this path.';
  const field = idField(deployed);
  return field ? `${field} names a document that does not exist.` : (errors['not-found'] ?? '');
}

/** The field in which the example request names a document, as in error messages: `flashUpdates[0].id`. */
function idField(deployed: DeployedEndpoint): string | undefined {
  const { body, query } = exampleOf(deployed);
  for (const [name, value] of Object.entries({ ...query, ...body })) {
    if (/^id$|Id$/.test(name) && name !== 'artistId') return name;
    if (!Array.isArray(value)) continue;
    return typeof value[0] === 'string' ? `${name}[0]` : `${name}[0].id`;
  }
  return undefined;
}
