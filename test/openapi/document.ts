import { readFileSync } from 'node:fs';
import { HttpsError, type FunctionsErrorCode } from 'firebase-functions/https';
import * as z from 'zod';
import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiParameters,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
} from 'zod-openapi';
import {
  OWN_CODES,
  type ErrorCode,
  type OwnCode,
} from '../../functions/src/platform/errors.ts';
import type { Declaration, Example } from '../../functions/src/http/declaration.ts';
import { deployedEndpoints, exampleOf, type DeployedEndpoint } from '../support/deployMap.ts';
import { ownErrorExample } from './errorExamples.ts';

type JsonSchema = z.core.JSONSchema.BaseSchema;

const ErrorBody = z
  .object({ message: z.string().describe('A sentence for a person that says what went wrong.') })
  .meta({ id: 'Error', description: 'The body of every error.' });

const TAGS: Readonly<Record<string, string>> = {
  artists: 'Artists for an explore page.',
  availability: 'When an artist works.',
  bookings: 'Bookings and their sessions.',
  conversations: 'Messages between artists and clients.',
  flash: 'Pre-drawn designs that can be booked.',
  gallery: "Photos of an artist's work.",
  notifications: 'The counter of new notifications.',
  unavailableEvents: 'Blocks of time in which an artist cannot work.',
};

/** The values of `X-Error-Code`. */
const ERROR_CODES = [
  'invalid-argument',
  'cursor-not-found',
  'unauthenticated',
  'permission-denied',
  'app-check',
  'not-found',
  'method-not-allowed',
  'not-acceptable',
  'request-timeout',
  'payload-too-large',
  'unsupported-media-type',
  'resource-exhausted',
  'internal',
  'unavailable',
  'outcome-unknown',
] satisfies ErrorCode[];

const HEADERS = {
  'X-Request-Id': header('The id of the request in the logs of the service.'),
  'Cache-Control': header('Whether and for how long the response may be cached.'),
  ETag: header('A weak tag of this version of the response, to send as `If-None-Match`.', {
    pattern: '^W/"[\\w-]+"$',
  }),
  'X-Error-Code': header(
    'The error for programs. The meaning of a code never changes. Responses of the platform itself, before or instead of the service, have none.',
    { enum: ERROR_CODES },
  ),
  'WWW-Authenticate': header('Always `Bearer`.', { enum: ['Bearer'] }),
  'Retry-After': header('After how many seconds to try again.', { pattern: '^\\d+$' }),
  RateLimit: header(
    'How many requests are left, and for how many seconds: `"user";r=299;t=60`. Present if requests are limited.',
  ),
  'RateLimit-Policy': header(
    'How many requests may be sent within how many seconds: `"user";q=300;w=60`. Present if requests are limited.',
  ),
  Allow: header('The methods that this path supports.'),
} as const;

type HeaderName = keyof typeof HEADERS;

/** The description of an error status. `headers` are those beyond the headers of every response. */
interface ErrorDescription {
  readonly description: string;
  readonly headers?: readonly HeaderName[];
  /** The message, if it is the same for all endpoints; otherwise `ownErrorExample` has it. */
  readonly example?: string;
}

const APP_CHECK = 'App Check is enforced, and the request has no valid App Check token.';

const ERRORS: Readonly<Record<number, ErrorDescription>> = {
  400: { description: 'The request is invalid.' },
  401: {
    description: 'The ID token is missing, invalid or expired.',
    headers: ['WWW-Authenticate'],
    example: 'The ID token is invalid or expired. Sign in again.',
  },
  403: {
    description: APP_CHECK,
    example: 'The X-Firebase-AppCheck header must be a valid App Check token.',
  },
  404: { description: 'The path or a document does not exist.' },
  405: {
    description: 'This path does not support the method.',
    headers: ['Allow'],
  },
  406: {
    description: 'The response is too large for a caller that does not accept gzip.',
    example: 'The response is too large to be sent uncompressed: send Accept-Encoding: gzip.',
  },
  408: {
    description: 'The body did not arrive in time.',
    example: 'The body did not arrive in time.',
  },
  413: {
    description: 'The body is larger than 1 MiB.',
    example: 'The body must not be larger than 1 MiB.',
  },
  415: {
    description: 'The headers do not declare the body as uncompressed JSON in UTF-8.',
    example: 'The Content-Type must be application/json, in UTF-8.',
  },
  429: {
    description: 'This user or IP address has sent too many requests.',
    headers: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
    example: 'Too many requests. Please wait a little.',
  },
  500: {
    description: 'An internal error of the service.',
    example: 'Something went wrong on our side. Please try again later.',
  },
  503: {
    description:
      'The service is temporarily unavailable, or could not respond in time. `X-Error-Code` says what is known: `unavailable` (nothing was done, and nothing will be) or, for writes, `outcome-unknown` (all of it or nothing was done, or may be done a moment later).',
    headers: ['Retry-After'],
    example: 'The service is temporarily unavailable. Please try again in a few seconds.',
  },
};

/** Generates the OpenAPI document of the service from the declarations of its endpoints. */
export function openApiDocument(): object {
  const paths: ZodOpenApiPathsObject = {};
  for (const deployed of deployedEndpoints) {
    const { method, path } = deployed.endpoint.declaration;
    paths[path] = { [method.toLowerCase()]: operation(deployed) };
  }
  const document: ZodOpenApiObject = {
    openapi: '3.1.0',
    info: {
      title: 'Tattoo marketplace API',
      version: '1.0.0',
      description: DESCRIPTION,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
      contact: { name: 'The maintainers of the tattoo marketplace' },
    },
    servers: [
      { url: '/api', description: 'Where this document is served: deployed or local' },
      { url: 'http://127.0.0.1:5000/api', description: 'The local stack (npm start)' },
    ],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      headers: HEADERS,
      securitySchemes: {
        idToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The ID token of a user who is signed in with Firebase Auth.',
        },
        app: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Firebase-AppCheck',
          description:
            'The App Check token of the app. Required only if the service is deployed to enforce App Check.',
        },
      },
    },
  };
  // Clients must accept additional fields in responses: later versions may add some.
  return createDocument(document, {
    override: ({ jsonSchema, io }) => {
      if (io === 'output') delete jsonSchema.additionalProperties;
      if (jsonSchema.anyOf) nullInType(jsonSchema);
    },
  });
}

/** Writes `anyOf` with null as a list of types: generators for Swift and Kotlin do not understand the former. */
function nullInType(schema: JsonSchema): void {
  const { anyOf: [only, last, ...others] = [] } = schema;
  if (typeof only?.type !== 'string' || last?.type !== 'null' || others.length > 0) return;
  delete schema.anyOf;
  Object.assign(schema, only, { type: [only.type, 'null'] });
}

const DESCRIPTION = readFileSync('test/openapi/description.md', 'utf8').trim();

function operation(deployed: DeployedEndpoint): ZodOpenApiOperationObject {
  const { group, operationId, endpoint } = deployed;
  const { declaration } = endpoint;
  const example = exampleOf(deployed);
  return {
    operationId,
    tags: [group],
    summary: declaration.summary,
    description: declaration.description,
    security:
      declaration.access === 'public'
        ? [{}, { app: [] }]
        : [{ idToken: [] }, { idToken: [], app: [] }],
    requestParams: requestParams(declaration, example),
    ...(declaration.body && {
      requestBody: {
        required: !declaration.bodyInQuery,
        content: { 'application/json': { schema: declaration.body, example: example.body } },
      },
    }),
    responses: {
      200: success(declaration, example),
      ...(declaration.access === 'public' && {
        304: {
          description: 'The response has not changed since the one whose tag was sent.',
          headers: headers(['ETag']),
        },
      }),
      ...Object.fromEntries(
        statusesOf(declaration).map(({ status, description }) => [
          status,
          failure(status, description, deployed),
        ]),
      ),
    },
  };
}

function requestParams(declaration: Declaration, example: Example): ZodOpenApiParameters {
  const { params, query, body, bodyInQuery, access } = declaration;
  const { nextCursor } = example.response as { readonly nextCursor?: string };
  return {
    ...(params && { path: withExamples(params, example.params) }),
    ...(query && { query: withExamples(query, { cursor: nextCursor, ...example.query }) }),
    ...(bodyInQuery && body && { query: withExamples(body, example.body, { optional: true }) }),
    ...(access === 'public' && { header: withExamples(Conditional, { 'If-None-Match': TAG }) }),
  };
}

const TAG = 'W/"2jmj7l5rSw0yVb_vlWAYkK_YBwk"';

const Conditional = z.object({
  'If-None-Match': z.string().optional().describe('The `ETag` of a response that the caller has.'),
});

/** Parameters with the values of an example; all of them `optional`, or as the schema says. */
function withExamples(
  schema: z.ZodObject,
  values: Readonly<Record<string, unknown>> = {},
  { optional = false } = {},
) {
  const shape = Object.entries(schema.shape).map(([name, member]) => {
    const parameter = member as z.ZodType;
    const value = values[name];
    // A query is text: convert numbers where the schema requires it.
    const example = name === 'limit' ? Number(value) : value;
    const { description } = parameter;
    return [
      name,
      (optional ? parameter.optional() : parameter).meta({
        ...(description !== undefined && { description }),
        ...(value !== undefined && { param: { example } }),
      }),
    ] as const;
  });
  return z.object(Object.fromEntries(shape));
}

function success({ response, access }: Declaration, example: Example): ZodOpenApiResponseObject {
  return {
    description: 'Success.',
    headers: headers(access === 'public' ? ['ETag'] : ['RateLimit', 'RateLimit-Policy']),
    // Parsing adds the defaults of the schema.
    content: {
      'application/json': { schema: response, example: response.parse(example.response) },
    },
  };
}

/** The errors of an endpoint: its own, and those of every endpoint of its kind. */
function statusesOf(declaration: Declaration): { status: number; description: string }[] {
  const own = new Map(
    Object.entries(declaration.errors).map(([code, description]) => [
      code in OWN_CODES
        ? OWN_CODES[code as OwnCode]
        : new HttpsError(code as FunctionsErrorCode, '').httpErrorCode.status,
      description,
    ]),
  );
  const common = [
    ...((declaration.params ?? declaration.query ?? declaration.body) ? [400] : []),
    ...(declaration.access === 'signedIn' ? [401] : []),
    403,
    // An empty path parameter does not match the path.
    ...(declaration.params ? [404] : []),
    405,
    ...(declaration.body ? [408, 413, 415] : []),
    429,
    500,
    503,
  ];
  return [...new Set([...own.keys(), ...common])]
    .sort((a, b) => a - b)
    .map((status) => ({ status, description: describe(status, own.get(status), declaration) }));
}

function describe(status: number, own: string | undefined, { access }: Declaration): string {
  if (status === 429 && access === 'public') return 'Too many requests came from this address.';
  const general = ERRORS[status]?.description ?? 'An error.';
  if (own === undefined) return general;
  return status === 403 ? `${own} Or: ${general}` : own;
}

function failure(
  status: number,
  description: string,
  deployed: DeployedEndpoint,
): ZodOpenApiResponseObject {
  const error = ERRORS[status];
  const message = ownErrorExample(deployed, status) ?? error?.example;
  if (message === undefined) throw new Error(`Status ${status} is not described in test/openapi.`);
  return {
    description,
    headers: headers(['X-Error-Code', ...(error?.headers ?? [])]),
    content: { 'application/json': { schema: ErrorBody, example: { message } } },
  };
}

/** References to these headers and to those of every response. */
function headers(names: readonly HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries(
    (['X-Request-Id', 'Cache-Control', ...names] as const).map((name) => [
      name,
      { $ref: `#/components/headers/${name}` },
    ]),
  );
}

/** A response header. None is `required`: a proxy may remove it, and some clients fail then. */
function header(
  description: string,
  schema: { readonly pattern?: string; readonly enum?: string[] } = {},
) {
  return { description, schema: { type: 'string' as const, ...schema } };
}
