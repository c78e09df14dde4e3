import * as z from 'zod';
import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiParameters,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';
import {
  type EndpointDeclaration,
  type DeployedEndpoint,
  type EndpointExample,
  getExample,
  idempotencyKeySchema,
} from '@tattoo-marketplace/endpoints';
import { COLLECTIONS } from '../../functions/service.ts';
import { endpoints } from '../../functions/service.ts';
import client from '../../packages/client/package.json' with { type: 'json' };
import { apiDescription } from './description.ts';
import { ERROR_CODES, getErrors, getRestriction } from './errorResponses.ts';

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

/** Generates the OpenAPI document of the service from the declarations of its endpoints. */
export function createOpenApiDocument(): object {
  const paths: ZodOpenApiPathsObject = {};
  for (const deployed of endpoints) {
    const { method, path } = deployed.endpoint.declaration;
    paths[path] = { [method.toLowerCase()]: operation(deployed) };
  }
  const document: ZodOpenApiObject = {
    openapi: '3.1.0',
    info: {
      title: 'Tattoo marketplace API',
      version: client.version,
      // The API reference puts the headings below this.
      description: apiDescription().replaceAll('](#', '](#description/'),
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
      contact: { name: 'The maintainers of the tattoo marketplace' },
    },
    servers: [
      { url: '/api', description: 'Where this document is served: deployed or local' },
      { url: 'http://127.0.0.1:5000/api', description: 'The local stack (npm start)' },
    ],
    tags: tags(),
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

/** A tag for each group. It is described as the collection of its name, if there is one. */
function tags() {
  const groups = new Set(endpoints.map(({ group }) => group));
  return [...groups].sort().map((name) => {
    const description = COLLECTIONS.find(({ path }) => path === name)?.description;
    return { name, ...(description !== undefined && { description }) };
  });
}

/** Writes `anyOf` with null as a list of types: generators for Swift and Kotlin do not understand the former. */
function nullInType(schema: JsonSchema): void {
  const { anyOf: [only, last, ...others] = [] } = schema;
  if (typeof only?.type !== 'string' || last?.type !== 'null' || others.length > 0) return;
  delete schema.anyOf;
  Object.assign(schema, only, { type: [only.type, 'null'] });
}

function operation(deployed: DeployedEndpoint): ZodOpenApiOperationObject {
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
    requestParams: requestParams(endpoint.declaration, example),
    ...(body && {
      requestBody: {
        required: !allowBodyInQuery,
        content: { 'application/json': { schema: body, example: example.body } },
      },
    }),
    responses: {
      200: {
        description: 'Success.',
        headers: headers(isPublic ? ['ETag'] : ['RateLimit', 'RateLimit-Policy']),
        // Parsing adds the defaults of the schema.
        content: {
          'application/json': { schema: response, example: response.parse(example.response) },
        },
      },
      ...(isPublic && {
        304: {
          description: 'The response has not changed since the one whose tag was sent.',
          headers: headers(['ETag']),
        },
      }),
      ...Object.fromEntries(
        getErrors(endpoint.declaration).map(({ status, ...error }) => [
          status,
          {
            description: error.description,
            headers: headers(['X-Error-Code', ...error.headers]),
            content: { 'application/json': { schema: ErrorBody } },
          },
        ]),
      ),
    },
  };
}

const ConditionalHeaders = z.object({
  'If-None-Match': z.string().optional().describe('The `ETag` of a response that the caller has.'),
});

const IdempotencyHeaders = z.object({
  'Idempotency-Key': idempotencyKeySchema.describe(
    'Requests with the same key and body create one document. Without a key each creates another one.',
  ),
});

function requestParams(
  declaration: EndpointDeclaration,
  example: EndpointExample,
): ZodOpenApiParameters {
  const { params, query, body, allowBodyInQuery, access, createsDocument } = declaration;
  return {
    ...(params && { path: withExamples(params, example.params) }),
    ...(query && { query: withExamples(query, example.query) }),
    ...(allowBodyInQuery && body && { query: withExamples(body, example.body, true) }),
    ...(access === 'public' && { header: ConditionalHeaders }),
    ...(createsDocument && { header: IdempotencyHeaders }),
  };
}

/** Parameters with the values of an example. */
function withExamples(
  schema: z.ZodObject,
  values: Readonly<Record<string, unknown>> = {},
  isOptional = false,
) {
  const parameters = Object.entries(schema.shape).map(([name, member]) => {
    const parameter = member as z.ZodType;
    const { description = '' } = parameter;
    // A query is text: convert numbers where the schema requires it.
    const example = name === 'limit' ? Number(values[name]) : values[name];
    const param = example === undefined ? {} : { example };
    return [
      name,
      (isOptional ? z.optional(parameter) : parameter).meta({ description, param }),
    ] as const;
  });
  return z.object(Object.fromEntries(parameters));
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
