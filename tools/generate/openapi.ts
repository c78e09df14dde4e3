import { STATUS_CODES } from 'node:http';
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
  type EndpointDeclaration,
  type DeployedEndpoint,
  type EndpointExample,
  getExample,
  idempotencyKeySchema,
  isPageSizeSchema,
} from '@tattoo-marketplace/endpoints';
import { COLLECTIONS } from '../../functions/service.ts';
import { endpoints } from '../../functions/service.ts';
import client from '../../packages/client/package.json' with { type: 'json' };
import { getApiDescription } from './description.ts';
import { ERROR_CODES, type EndpointError, getErrors, getRestriction } from './errorResponses.ts';

type JsonSchema = z.core.JSONSchema.BaseSchema;

const ErrorBody = z
  .object({
    message: z
      .string()
      .describe('A sentence for a person that says what went wrong.')
      .meta({ examples: ['limit must be an integer from 1 to 50.'] }),
  })
  .meta({ id: 'Error', description: 'The body of every error.' });

const HEADERS = {
  'X-Request-Id': createHeader('The id of the request in the logs of the service.'),
  'Cache-Control': createHeader('Whether and for how long the response may be cached.'),
  ETag: createHeader('A weak tag of this version of the response, to send as `If-None-Match`.', {
    pattern: '^W/"[\\w-]+"$',
  }),
  'X-Error-Code': createHeader(
    'The error for programs. The meaning of a code never changes. Responses of the platform itself, before or instead of the service, have none.',
    { enum: ERROR_CODES },
  ),
  'WWW-Authenticate': createHeader('Always `Bearer`.', { enum: ['Bearer'] }),
  'Retry-After': createHeader('After how many seconds to try again.', { pattern: '^\\d+$' }),
  RateLimit: createHeader(
    'How many requests are left, and for how many seconds: `"user";r=299;t=60`. Present if requests are limited.',
  ),
  'RateLimit-Policy': createHeader(
    'How many requests may be sent within how many seconds: `"user";q=300;w=60`. Present if requests are limited.',
  ),
  Allow: createHeader('The methods that this path supports.'),
} as const;

type HeaderName = keyof typeof HEADERS;

/** Generates the OpenAPI document of the service from the declarations of its endpoints. */
export function createOpenApiDocument(): object {
  const paths: ZodOpenApiPathsObject = {};
  for (const deployed of endpoints) {
    const { method, path } = deployed.endpoint.declaration;
    paths[path] = { [method.toLowerCase()]: createOperation(deployed) };
  }
  const document: ZodOpenApiObject = {
    openapi: '3.1.0',
    info: {
      title: 'Tattoo marketplace API',
      version: client.version,
      // The API reference nests the headings of the description below this anchor.
      description: getApiDescription().replaceAll('](#', '](#description/'),
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
      contact: { name: 'The maintainers of the tattoo marketplace' },
    },
    servers: [
      { url: '/api', description: 'Where this document is served: deployed or local' },
      { url: 'http://127.0.0.1:5000/api', description: 'The local stack (npm start)' },
    ],
    tags: createTags(),
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
      if (jsonSchema.anyOf) moveNullIntoType(jsonSchema);
    },
  });
}

/** Creates a tag for each group. If a collection has the name of the group, the tag gets its description. */
function createTags() {
  const groups = new Set(endpoints.map(({ group }) => group));
  return [...groups].sort().map((name) => {
    const description = COLLECTIONS.find(({ path }) => path === name)?.description;
    return { name, ...(description !== undefined && { description }) };
  });
}

/** Converts `anyOf` with null to a list of types: generators for Swift and Kotlin do not support `anyOf` with null. */
function moveNullIntoType(schema: JsonSchema): void {
  const { anyOf: [value, nullSchema, ...rest] = [] } = schema;
  if (typeof value?.type !== 'string' || nullSchema?.type !== 'null' || rest.length > 0) return;
  delete schema.anyOf;
  Object.assign(schema, value, { type: [value.type, 'null'] });
}

function createOperation(deployed: DeployedEndpoint): ZodOpenApiOperationObject {
  const { group, operationId, endpoint } = deployed;
  const { summary, description, access, body, allowBodyInQuery, response } = endpoint.declaration;
  const example = getExample(deployed);
  const isPublic = access === 'public';
  return {
    operationId,
    tags: [group],
    summary,
    description: [description, getRestriction(endpoint.declaration)].filter(Boolean).join(' '),
    security: isPublic ? [{}, { app: [] }] : [{ idToken: [] }, { idToken: [], app: [] }],
    requestParams: createParameters(endpoint.declaration, example),
    ...(body && {
      requestBody: {
        required: !allowBodyInQuery,
        content: { 'application/json': { schema: body, example: example.body } },
      },
    }),
    responses: {
      200: {
        description: 'Success.',
        headers: referToHeaders(isPublic ? ['ETag'] : ['RateLimit', 'RateLimit-Policy']),
        // Parsing adds the defaults of the schema.
        content: {
          'application/json': { schema: response, example: response.parse(example.response) },
        },
      },
      ...(isPublic && {
        304: {
          description: 'The response has not changed since the one whose tag was sent.',
          headers: referToHeaders(['ETag']),
        },
      }),
      ...Object.fromEntries(
        getErrors(endpoint.declaration).map((error) => [
          error.status,
          describeErrorResponse(error),
        ]),
      ),
    },
  };
}

/** The responses of errors that several endpoints may have, by their ids in `components.responses`. */
const sharedResponses = new Map<string, ZodOpenApiResponseObject>();

/** Creates the response of an error. An error whose description does not depend on the endpoint is a component: `Unauthorized`. */
function describeErrorResponse(error: EndpointError): ZodOpenApiResponseObject {
  const response = {
    description: error.description,
    headers: referToHeaders(['X-Error-Code', ...error.headers]),
    content: { 'application/json': { schema: ErrorBody } },
  };
  if (error.isSpecific) return response;
  const id = (STATUS_CODES[error.status] ?? '').replaceAll(/\W/g, '');
  const shared = sharedResponses.get(id) ?? { id, ...response };
  sharedResponses.set(id, shared);
  return shared;
}

const ConditionalHeaders = z.object({
  'If-None-Match': z.string().optional().describe('The `ETag` of a response that the caller has.'),
});

const IdempotencyHeaders = z.object({
  'Idempotency-Key': idempotencyKeySchema.describe(
    'Requests with the same key and body create one document. Without a key each creates another one.',
  ),
});

function createParameters(
  declaration: EndpointDeclaration,
  example: EndpointExample,
): ZodOpenApiParameters {
  const { params, query, body, allowBodyInQuery, access, createsDocument } = declaration;
  return {
    ...(params && { path: addExamples(params, example.params) }),
    ...(query && { query: addExamples(query, example.query) }),
    ...(allowBodyInQuery && body && { query: addExamples(body, example.body, true) }),
    ...(access === 'public' && { header: ConditionalHeaders }),
    ...(createsDocument && { header: IdempotencyHeaders }),
  };
}

/** Adds the values of an example to parameters. */
function addExamples(
  schema: z.ZodObject,
  values: Readonly<Record<string, unknown>> = {},
  isOptional = false,
) {
  const parameters = Object.entries(schema.shape).map(([name, member]) => {
    const parameter = member as z.ZodType;
    const { description = '' } = parameter;
    // A query is text: convert page sizes to numbers.
    const value = values[name];
    const example = value !== undefined && isPageSizeSchema(parameter) ? Number(value) : value;
    const param = example === undefined ? {} : { example };
    return [
      name,
      (isOptional ? z.optional(parameter) : parameter).meta({ description, param }),
    ] as const;
  });
  return z.object(Object.fromEntries(parameters));
}

/** Creates references to these headers, and to the headers of every response. */
function referToHeaders(names: readonly HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries(
    (['X-Request-Id', 'Cache-Control', ...names] as const).map((name) => [
      name,
      { $ref: `#/components/headers/${name}` },
    ]),
  );
}

/** Creates a response header. No header is `required`: a proxy may remove headers, and some clients would fail then. */
function createHeader(
  description: string,
  schema: { readonly pattern?: string; readonly enum?: string[] } = {},
) {
  return { description, schema: { type: 'string' as const, ...schema } };
}
