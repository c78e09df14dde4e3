import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';

/** A complete response of the fake. */
export interface FakeResponse {
  readonly status: number;
  readonly body: Buffer;
}

/** The number of bytes of a body that are written at a time. */
const CHUNK_BYTES = 64 * 1024;

/** Google's error codes by HTTP status (https://cloud.google.com/apis/design/errors). */
const STATUS_NAMES: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  404: 'NOT_FOUND',
  409: 'ABORTED',
  499: 'CANCELLED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

export function createFakeResponse(value: unknown, status = 200): FakeResponse {
  return { status, body: Buffer.from(JSON.stringify(value)) };
}

/** Creates Google's error response for an HTTP status. It is a list if Google streams the response. */
export function createFakeErrorResponse(status: number, { isList = false } = {}): FakeResponse {
  return createFakeResponse(isList ? [createErrorBody(status)] : createErrorBody(status), status);
}

export function createErrorBody(status: number): { readonly error: object } {
  const name = STATUS_NAMES[status] ?? 'UNKNOWN';
  return { error: { code: status, message: `secret of the database: ${name}`, status: name } };
}

export function sendResponse(
  response: ServerResponse,
  { status, body }: FakeResponse,
): ServerResponse {
  const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'public, max-age=3600' };
  response.writeHead(status, { ...headers, 'Content-Length': body.length });
  return body.length > CHUNK_BYTES
    ? Readable.from(splitIntoChunks(body)).pipe(response)
    : response.end(body);
}

/** Splits a body, so that it is only encrypted as fast as the client reads it: TLS encrypts each written chunk at once. */
function* splitIntoChunks(body: Buffer): Generator<Buffer> {
  for (let from = 0; from < body.length; from += CHUNK_BYTES) {
    yield body.subarray(from, from + CHUNK_BYTES);
  }
}

/** Sends a request to the Firestore emulator at `host:port` with administrator rights. */
export async function forwardToEmulator(
  address: string,
  path: string,
  body: string,
): Promise<FakeResponse> {
  const response = await fetch(`http://${address}${path}`, {
    method: 'POST',
    headers: { Authorization: 'Bearer owner', 'Content-Type': 'application/json' },
    body,
  });
  return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
}
