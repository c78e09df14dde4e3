import type { ServerResponse } from 'node:http';

/** A complete response of the simulation. */
export interface Reply {
  readonly status: number;
  readonly body: Buffer;
  readonly type?: string;
}

/** Google's JSON errors by HTTP status (https://cloud.google.com/apis/design/errors). */
const STATUS_NAMES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ABORTED',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

export function json(value: unknown, status = 200): Reply {
  return { status, body: Buffer.from(JSON.stringify(value)) };
}

/** The response of Google's front end if the backend does not respond. */
export function htmlPage(status = 502): Reply {
  const page = `<!DOCTYPE html><title>Error ${status}</title><p>The server encountered a temporary error.`;
  return { status, body: Buffer.from(page), type: 'text/html; charset=UTF-8' };
}

/** The `error` of a response with that HTTP status. */
export function errorOf(status: number): { readonly error: object } {
  const name = STATUS_NAMES[status] ?? 'UNKNOWN';
  return { error: { code: status, message: `secret of the database: ${name}`, status: name } };
}

/** Sends a complete response. */
export function send(response: ServerResponse, reply: Reply): void {
  response.writeHead(reply.status, { ...head(reply), 'Content-Length': reply.body.length });
  response.end(reply.body);
}

/** Sends a chunked response, from which the client cannot see that a part is missing. */
export function sendChunked(response: ServerResponse, reply: Reply): void {
  response.writeHead(reply.status, head(reply));
  response.write(reply.body.subarray(0, 1));
  response.end(reply.body.subarray(1));
}

/** Sends the first half of a response, and resolves when it is sent. */
export async function sendHalf(response: ServerResponse, reply: Reply): Promise<void> {
  response.writeHead(reply.status, { ...head(reply), 'Content-Length': reply.body.length });
  await new Promise((resolve) => response.write(firstHalf(reply.body), resolve));
}

export function firstHalf(body: Buffer): Buffer {
  return body.subarray(0, Math.ceil(body.length / 2));
}

function head({ type = 'application/json; charset=UTF-8' }: Reply): Record<string, string> {
  return { 'Content-Type': type, 'Cache-Control': 'public, max-age=3600' };
}
