import { hash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { Request } from 'firebase-functions/https';
import * as z from 'zod';
import { isChecked } from '../checkedLists.ts';
import { discardRest } from './body.ts';
import type { ErrorResponse } from './errors.ts';

/** Smaller bodies are not compressed, in bytes: they would not need fewer packets. */
const MIN_COMPRESSED_BYTES = 1024;

const compressed = promisify(gzip);

/** A serialized JSON body. */
export interface JsonBody {
  readonly identity: Buffer;
  /** The compressed body, if it was compressed in advance. */
  readonly gzip?: Buffer;
}

/** A whole response. */
export interface JsonResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent for 204 and 304. */
  readonly body?: Buffer;
}

/** Serializes a handler's output. The response schema validates it and removes fields that it does not name. */
export async function jsonBody(
  schema: z.ZodType,
  output: Promise<unknown> | AsyncIterable<unknown>,
): Promise<JsonBody> {
  if (!(Symbol.asyncIterator in output)) return { identity: bytesOf(schema.parse(await output)) };
  // Each part is serialized when it arrives, so that objects can be freed and other requests can run in between.
  const parts: Buffer[] = [];
  for await (const part of output) {
    const elements = bytesOf(schema.parse(part)).subarray(1, -1);
    if (elements.length > 0) parts.push(COMMA, elements);
  }
  return { identity: Buffer.concat([OPEN, ...parts.slice(1), CLOSE]) };
}

/**
 * The schema of a response, in which lists of documents that were built from their schema are taken as they are. All
 * else is parsed.
 */
export function withCheckedDocuments(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodArray && schema.element instanceof z.ZodObject) {
    const { element } = schema;
    return z.unknown().transform((list) => (isChecked(list, element) ? list : schema.parse(list)));
  }
  if (!(schema instanceof z.ZodObject)) return schema;
  const members = Object.entries<z.ZodType>(schema.shape);
  return z.object(
    Object.fromEntries(members.map(([name, member]) => [name, withCheckedDocuments(member)])),
  );
}

const [OPEN, COMMA, CLOSE] = ['[', ',', ']'].map((text) => Buffer.from(text)) as [
  Buffer,
  Buffer,
  Buffer,
];

function bytesOf(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

/** Adds the compressed body, for a body that is sent many times. */
export async function withGzip(body: JsonBody): Promise<JsonBody> {
  const { identity } = body;
  return identity.length < MIN_COMPRESSED_BYTES
    ? body
    : { identity, gzip: await compressed(identity) };
}

/** A 200 response with this body, compressed if it is large enough and the caller accepts it. */
export async function jsonResponse(
  request: Request,
  body: JsonBody,
  headers: Readonly<Record<string, string>>,
): Promise<JsonResponse> {
  const { identity } = body;
  if (identity.length < MIN_COMPRESSED_BYTES || !acceptsGzip(request)) {
    return { status: 200, headers: { ...JSON_HEADERS, ...headers }, body: identity };
  }
  return {
    status: 200,
    headers: { ...JSON_HEADERS, ...headers, 'Content-Encoding': 'gzip' },
    body: body.gzip ?? (await compressed(identity, { level: constants.Z_BEST_SPEED })),
  };
}

/** The response for an error: `{message}`, and its code in a header. */
export function errorResponse({ status, code, message, headers }: ErrorResponse): JsonResponse {
  return {
    status,
    headers: { 'Content-Type': JSON_TYPE, 'X-Error-Code': code, ...headers },
    body: bytesOf({ message }),
  };
}

const JSON_TYPE = 'application/json; charset=utf-8';
const JSON_HEADERS = { 'Content-Type': JSON_TYPE, Vary: 'Accept-Encoding' };

function acceptsGzip({ headers }: Request): boolean {
  const accepted = headers['accept-encoding'];
  return (
    typeof accepted === 'string' &&
    /(^|,)\s*(x-)?gzip\s*(?!\s*;\s*q=0(\.0*)?\s*(,|$))(,|;|$)/i.test(accepted)
  );
}

/** The entity tag of a body (RFC 9110, section 8.8.3). It is weak because the body may be compressed or not. */
export function entityTag({ identity }: JsonBody): string {
  return `W/"${hash('sha1', identity, 'base64url')}"`;
}

/**
 * Whether an `If-None-Match` header matches the tag, by weak comparison. Express' own check is not used: it ignores the
 * header if the request also has `Cache-Control: no-cache`, which Hosting adds.
 */
export function matchesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const opaque = tag.replace(/^W\//, '');
  return ifNoneMatch
    .split(',')
    .map((named) => named.trim())
    .some((named) => named === '*' || named.replace(/^W\//, '') === opaque);
}

/** Sends a response. `common` are headers of every response, errors included. */
export function send(
  request: Request,
  response: ServerResponse,
  { status, headers, body }: JsonResponse,
  common: Readonly<Record<string, string>>,
): void {
  const vary = [common.Vary, headers.Vary].filter((names) => names !== undefined).join(', ');
  response.writeHead(status, {
    ...common,
    ...headers,
    ...(vary !== '' && { Vary: vary }),
    ...(body && { 'Content-Length': String(body.length) }),
  });
  const content = request.method === 'HEAD' ? undefined : body;
  if (request.complete || response.shouldKeepAlive) {
    response.end(content);
    discardRest(request);
    return;
  }
  // Node would close the connection at the end of the response. A client that is still sending would then not receive it.
  if (content !== undefined) response.write(content);
  // Without a body, Node would not send the headers before the response ends.
  else response.flushHeaders();
  request.once('close', () => {
    response.end();
  });
  discardRest(request);
}
