import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { readFileSync } from 'node:fs';

/** A response of the service with its request. */
export interface Exchange {
  readonly method: string;
  /** The path below the base URL as sent, with or without a query. */
  readonly path: string;
  readonly status: number;
  /** The value of a response header. */
  readonly header: (name: string) => string | null | undefined;
  readonly text: string;
}

interface DocumentedResponse {
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: object;
}

type Operations = Readonly<
  Record<string, { readonly responses: Readonly<Record<string, DocumentedResponse>> }>
>;

const document = JSON.parse(readFileSync('public/openapi.json', 'utf8')) as {
  readonly paths: Readonly<Record<string, Operations>>;
};

/** The service sends all other headers of a response, although the document requires none: a proxy may remove them. */
const OPTIONAL_HEADERS: ReadonlySet<string> = new Set(['RateLimit', 'RateLimit-Policy']);

const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { int64: true } });
ajv.addSchema(closed(document) as object, 'openapi');
const validators = new Map<string, ValidateFunction>();

/** Throws if the status, headers or body of a response do not match public/openapi.json. */
export function requireDocumented(exchange: Exchange): void {
  const fault = undocumented(exchange);
  if (fault !== undefined) {
    const { method, path, status, text } = exchange;
    throw new Error(`${method} ${path} returned ${status}, ${fault}: ${text.slice(0, 300)}`);
  }
}

function undocumented({ method, path, status, header, text }: Exchange): string | undefined {
  if (method === 'OPTIONS')
    return status === 204 && text === '' ? undefined : 'and no preflight does';
  const template = templateOf(path);
  if (template === undefined) {
    // 400 if the path contains an id such as `..`, which URL resolution would remove.
    if (status !== 404 && status !== 400) return 'and there is nothing';
    return bodyFault('/components/schemas/Error', method, text);
  }
  const operations = document.paths[template] ?? {};
  const requested = method === 'HEAD' ? 'get' : method.toLowerCase();
  const used = requested in operations ? requested : Object.keys(operations)[0];
  const response = used === undefined ? undefined : operations[used]?.responses[status];
  if (used === undefined || response === undefined) return 'a status that is not documented';
  if (used !== requested && status !== 405) return 'to a method that is not documented';
  const missing = Object.keys(response.headers ?? {}).filter(
    (name) => !OPTIONAL_HEADERS.has(name) && !header(name),
  );
  if (missing.length > 0) return `without the header ${missing.join(', ')}`;
  if (response.content === undefined) return text === '' ? undefined : 'with a body';
  return bodyFault(
    `/paths/${pointer(template)}/${used}/responses/${status}/content/${pointer('application/json')}/schema`,
    method,
    text,
  );
}

/** The documented path that matches a path; URL resolution removes `..`. */
function templateOf(path: string): string | undefined {
  const { pathname } = new URL(`http://service${path}`);
  return Object.keys(document.paths).find((template) =>
    new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
  );
}

function bodyFault(schema: string, method: string, text: string): string | undefined {
  if (method === 'HEAD') return text === '' ? undefined : 'with a body';
  let validate = validators.get(schema);
  if (validate === undefined) {
    validate = ajv.compile({ $ref: `openapi#${schema}` });
    validators.set(schema, validate);
  }
  return validate(JSON.parse(text)) ? undefined : ajv.errorsText(validate.errors);
}

/**
 * Closes all objects of a schema, or of a document of schemas, to unknown fields. The document allows additional fields
 * for later versions; the current one must not send any.
 */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const members = Object.entries(schema).map(([name, member]) => [name, closed(member)] as const);
  return {
    ...('properties' in schema && { additionalProperties: false }),
    ...Object.fromEntries(members),
  };
}

/** Escapes a name for a JSON pointer in a URI. */
function pointer(name: string): string {
  return encodeURIComponent(name.replace(/~/g, '~0').replace(/\//g, '~1'));
}
