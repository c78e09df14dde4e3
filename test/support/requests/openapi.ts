/** Validates requests and responses against public/openapi.json. */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ExampleRequest, RequestParts } from './exampleRequests.ts';
import { sendRawRequest, type RawResponse } from './sendRawRequest.ts';

interface Operation {
  readonly parameters?: readonly {
    readonly name: string;
    readonly required?: boolean;
    readonly schema?: { readonly type?: string };
  }[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, ResponseObject | { readonly $ref: string }>>;
}

interface ResponseObject {
  readonly headers?: object;
  readonly content?: object;
}

const openapi = JSON.parse(readFileSync('public/openapi.json', 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly responses: Readonly<Record<string, ResponseObject>>;
    readonly headers: { readonly 'X-Error-Code': { readonly schema: { readonly enum: string[] } } };
  };
};

/**
 * Response headers that the service may omit. It sends all others, although the OpenAPI document requires none, because a
 * proxy may remove them.
 */
const OPTIONAL_HEADERS: ReadonlySet<string> = new Set(['RateLimit', 'RateLimit-Policy']);

/** The documented values of `X-Error-Code`. */
const ERROR_CODES = openapi.components.headers['X-Error-Code'].schema.enum;

const JSON_SCHEMA = ['content', 'application/json', 'schema'];
const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { int64: true } });
ajv.addSchema(openapi, 'requests');
ajv.addSchema(forbidAdditionalProperties(openapi) as object, 'responses');

/** Validates a value against the schema at a path of the OpenAPI document. Returns the errors as text, or undefined. */
function findSchemaError(
  value: unknown,
  direction: 'requests' | 'responses',
  ...schemaPath: readonly (string | number)[]
): string | undefined {
  const names = schemaPath.map((name) =>
    encodeURIComponent(String(name).replaceAll('~', '~0').replaceAll('/', '~1')),
  );
  const validate = ajv.getSchema(`${direction}#/${names.join('/')}`);
  if (validate === undefined) return `but the document has no ${schemaPath.join(' ')}`;
  return validate(value) === true ? undefined : ajv.errorsText(validate.errors);
}

/** Returns whether the OpenAPI document allows a request with these path and query parameters and this body. */
export function allowsRequest(method: string, path: string, parts: RequestParts): boolean {
  // A schema cannot reject unpaired surrogates.
  if (/\\ud[89a-f]/.test(JSON.stringify(parts))) return false;
  const { params = {}, query = {}, body } = parts;
  const operationPath = ['paths', path, method.toLowerCase()] as const;
  const { parameters = [], requestBody } = openapi.paths[path]?.[operationPath[2]] ?? {};
  const areParametersValid = parameters.every(({ name, required, schema }, index) => {
    const value = params[name] ?? query[name];
    if (value === undefined) return required !== true;
    const isNumber = schema?.type === 'integer' && typeof value === 'string' && /^\d+$/.test(value);
    const schemaPath = [...operationPath, 'parameters', index, 'schema'];
    return !findSchemaError(isNumber ? Number(value) : value, 'requests', ...schemaPath);
  });
  if (!areParametersValid || requestBody === undefined) return areParametersValid;
  return !findSchemaError(body, 'requests', ...operationPath, 'requestBody', ...JSON_SCHEMA);
}

/** A request to the service. */
export interface ServiceRequest extends Partial<ExampleRequest> {
  readonly path: string;
  /** The documented path, if the request uses a short form of it. */
  readonly template?: string;
}

/** Sends a request to the service at an address. Throws if the OpenAPI document does not describe the response. */
export async function sendServiceRequest(
  address: string,
  { path, template = path, ...request }: ServiceRequest,
): Promise<RawResponse> {
  const response = await sendRawRequest(address, path, request);
  const { method = 'GET' } = request;
  const violation = findOpenApiViolation(method, template.replace(/^\/api(?=\/)/, ''), response);
  if (violation === undefined) return response;
  const { status, text } = response;
  throw new Error(
    `${method} ${path} returned ${status}, which violates public/openapi.json: ${violation}. ${text.slice(0, 300)}`,
  );
}

/** Compares a response with the OpenAPI document. `path` is the path below the base URL. */
function findOpenApiViolation(
  method: string,
  path: string,
  { status, headers, text }: RawResponse,
): string | undefined {
  if (method === 'OPTIONS') return status === 204 && text === '' ? undefined : 'no preflight';
  const findBodyError = (...schemaPath: readonly string[]) => {
    if (method === 'HEAD') return text === '' ? undefined : 'it has a body';
    return findSchemaError(JSON.parse(text), 'responses', ...schemaPath);
  };
  const template = findTemplate(path);
  if (template === undefined) {
    if (status !== 404) return 'it has no such path: run npm run generate';
    return findBodyError('components', 'schemas', 'Error');
  }
  const operations = openapi.paths[template] ?? {};
  const requestedName = method === 'HEAD' ? 'get' : method.toLowerCase();
  const isDocumented = requestedName in operations;
  const operationName = isDocumented ? requestedName : (Object.keys(operations)[0] ?? '');
  const { response, responsePath } = findResponse(template, operationName, String(status));
  if (response === undefined || (!isDocumented && status !== 405)) return 'it has no such status';
  const missing = Object.keys(response.headers ?? {}).filter(
    (name) => !OPTIONAL_HEADERS.has(name) && !headers[name.toLowerCase()],
  );
  const { 'x-error-code': code } = headers;
  if (code !== undefined && !ERROR_CODES.includes(String(code))) {
    return `docs/api.md does not list the error code ${String(code)}`;
  }
  if (missing.length > 0) return `the header ${missing.join(', ')} is missing`;
  if (response.content === undefined) return text === '' ? undefined : 'it has a body';
  return findBodyError(...responsePath, ...JSON_SCHEMA);
}

/** Finds a response of an operation, which may be a component, and its path in the document. */
function findResponse(template: string, operationName: string, status: string) {
  const response = openapi.paths[template]?.[operationName]?.responses[status];
  if (response === undefined || !('$ref' in response)) {
    return { response, responsePath: ['paths', template, operationName, 'responses', status] };
  }
  const responsePath = response.$ref.replace('#/', '').split('/');
  return { response: openapi.components.responses[responsePath.at(-1) ?? ''], responsePath };
}

/** Finds the documented path that matches a path. `URL` is not used: it would resolve an id such as `..`. */
function findTemplate(path: string): string | undefined {
  const pathname = path.replace(/\?.*$/s, '');
  return Object.keys(openapi.paths).find((template) =>
    new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
  );
}

/**
 * Returns a schema, or a document of schemas, whose objects reject unknown fields. The OpenAPI document allows additional
 * fields for later versions. The current version must not send any.
 */
function forbidAdditionalProperties(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(forbidAdditionalProperties);
  if (typeof schema !== 'object' || schema === null) return schema;
  const members = Object.entries(schema).map(([name, member]) => {
    return [name, forbidAdditionalProperties(member)] as const;
  });
  return {
    ...('properties' in schema && { additionalProperties: false }),
    ...Object.fromEntries(members),
  };
}
