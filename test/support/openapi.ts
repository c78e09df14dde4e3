/** What public/openapi.json says of requests and responses. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { readFileSync } from 'node:fs';
import type { ExampleRequest, RequestParts } from '../../demo/exampleRequests.ts';
import { rawRequest, type RawResponse } from '../../dev/testing/rawRequest.ts';

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly required?: boolean }[];
  readonly requestBody?: object;
  readonly responses: Readonly<
    Record<string, { readonly headers?: object; readonly content?: object }>
  >;
}

const document = JSON.parse(readFileSync('public/openapi.json', 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};

/** The service sends all other headers of a response, although the document requires none: a proxy may remove them. */
const OPTIONAL_HEADERS: ReadonlySet<string> = new Set(['RateLimit', 'RateLimit-Policy']);

const JSON_SCHEMA = ['content', 'application/json', 'schema'];
const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { int64: true } });
ajv.addSchema(document, 'requests');
ajv.addSchema(withoutAdditionalProperties(document) as object, 'responses');

/** What is wrong with a value by the schema at a place of the document. */
function findSchemaError(
  value: unknown,
  sent: 'requests' | 'responses',
  ...place: readonly (string | number)[]
): string | undefined {
  const names = place.map((name) =>
    encodeURIComponent(String(name).replaceAll('~', '~0').replaceAll('/', '~1')),
  );
  const validate = ajv.getSchema(`${sent}#/${names.join('/')}`);
  if (validate === undefined) return `and there is no ${place.join(' ')}`;
  return validate(value) === true ? undefined : ajv.errorsText(validate.errors);
}

/** Whether the document allows the parts of a request. */
export function allowsRequest(method: string, path: string, sent: RequestParts): boolean {
  // A schema cannot tell unpaired surrogates.
  if (/\\ud[89a-f]/.test(JSON.stringify(sent))) return false;
  const { params = {}, query = {}, body } = sent;
  const place = ['paths', path, method.toLowerCase()] as const;
  const { parameters = [], requestBody } = document.paths[path]?.[place[2]] ?? {};
  // A body may take the place of the query.
  if (requestBody)
    return !findSchemaError(body, 'requests', ...place, 'requestBody', ...JSON_SCHEMA);
  return parameters.every(({ name, required }, index) => {
    const value = params[name] ?? query[name];
    if (value === undefined) return required !== true;
    const isNumber = typeof value === 'string' && /^\d+$/.test(value) && name === 'limit';
    const parameter = [...place, 'parameters', index, 'schema'];
    return !findSchemaError(isNumber ? Number(value) : value, 'requests', ...parameter);
  });
}

/** A request to the service. */
export interface ServiceRequest extends Partial<ExampleRequest> {
  readonly path: string;
  /** The documented path, if the request uses a short form of it. */
  readonly template?: string;
}

/** Sends a request to the service at an address. Throws if the document does not describe the response. */
export async function serviceRequest(
  address: string,
  { path, template = path, ...sent }: ServiceRequest,
): Promise<RawResponse> {
  const response = await rawRequest(address, path, sent);
  const { method = 'GET' } = sent;
  const fault = findOpenApiViolation(method, template.replace(/^\/api(?=\/)/, ''), response);
  if (fault === undefined) return response;
  const { status, text } = response;
  throw new Error(`${method} ${path} returned ${status}, ${fault}: ${text.slice(0, 300)}`);
}

/** What is wrong with the status, headers or body of a response, by the document. The path is that below the base URL. */
function findOpenApiViolation(
  method: string,
  path: string,
  { status, headers, text }: RawResponse,
): string | undefined {
  if (method === 'OPTIONS') return status === 204 && text === '' ? undefined : 'no preflight';
  const bodyFault = (...place: readonly string[]) => {
    if (method === 'HEAD') return text === '' ? undefined : 'with a body';
    return findSchemaError(JSON.parse(text), 'responses', ...place);
  };
  const template = findTemplate(path);
  if (template === undefined) {
    // 400 if the path contains an id such as `..`, which URL resolution would remove.
    if (status !== 404 && status !== 400) return 'of a path that npm run generate must add';
    return bodyFault('components', 'schemas', 'Error');
  }
  const operations = document.paths[template] ?? {};
  const requested = method === 'HEAD' ? 'get' : method.toLowerCase();
  const used = requested in operations ? requested : (Object.keys(operations)[0] ?? '');
  const response = operations[used]?.responses[status];
  if (response === undefined || (used !== requested && status !== 405)) return 'undocumented';
  const missing = Object.keys(response.headers ?? {}).filter(
    (name) => !OPTIONAL_HEADERS.has(name) && !headers[name.toLowerCase()],
  );
  if (missing.length > 0) return `without the header ${missing.join(', ')}`;
  if (response.content === undefined) return text === '' ? undefined : 'with a body';
  return bodyFault('paths', template, used, 'responses', String(status), ...JSON_SCHEMA);
}

/** The documented path that matches a path; URL resolution removes `..`. */
function findTemplate(path: string): string | undefined {
  const { pathname } = new URL(`http://service${path}`);
  return Object.keys(document.paths).find((template) =>
    new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
  );
}

/**
 * Closes all objects of a schema, or of a document of schemas, to unknown fields. The document allows additional fields
 * for later versions; the current one must not send any.
 */
function withoutAdditionalProperties(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutAdditionalProperties);
  if (typeof schema !== 'object' || schema === null) return schema;
  const members = Object.entries(schema).map(
    ([name, member]) => [name, withoutAdditionalProperties(member)] as const,
  );
  return {
    ...('properties' in schema && { additionalProperties: false }),
    ...Object.fromEntries(members),
  };
}
