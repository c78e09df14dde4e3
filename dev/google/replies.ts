import type { ServerResponse } from 'node:http';

/** A complete response of the simulation. */
export interface Reply {
  readonly status: number;
  readonly body: Buffer;
}

/** Google's JSON errors by HTTP status (https://cloud.google.com/apis/design/errors). */
const STATUS_NAMES: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  404: 'NOT_FOUND',
  409: 'ABORTED',
  499: 'CANCELLED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

export function json(value: unknown, status = 200): Reply {
  return { status, body: Buffer.from(JSON.stringify(value)) };
}

/** Google's error response for an HTTP status; in a list, if Google streams the response. */
export function failure(status: number, isList = false): Reply {
  return json(isList ? [errorOf(status)] : errorOf(status), status);
}

export function errorOf(status: number): { readonly error: object } {
  const name = STATUS_NAMES[status] ?? 'UNKNOWN';
  return { error: { code: status, message: `secret of the database: ${name}`, status: name } };
}

export function send(response: ServerResponse, { status, body }: Reply): ServerResponse {
  const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'public, max-age=3600' };
  return response.writeHead(status, { ...headers, 'Content-Length': body.length }).end(body);
}

/** Sends a request to the Firestore emulator at `host:port` with administrator rights. */
export async function passOn(address: string, path: string, body: string): Promise<Reply> {
  const response = await fetch(`http://${address}${path}`, {
    method: 'POST',
    headers: { Authorization: 'Bearer owner', 'Content-Type': 'application/json' },
    body,
  });
  return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
}
