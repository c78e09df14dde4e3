import type { ServerResponse } from 'node:http';
import type { WireFault } from './faults.ts';

/** A complete response of the simulation. */
export interface Reply {
  readonly status: number;
  readonly body: Buffer;
  readonly type?: string;
}

/** A request that was read completely. */
export interface Exchange {
  readonly response: ServerResponse;
  /** Whether Google streams the response as a list of elements. */
  readonly isList: boolean;
  /** Executes the request and returns the response. */
  readonly execute: () => Promise<Reply>;
  /** Executes the request after its release. */
  readonly executeLater: () => Promise<Reply>;
  /** Resets the connection, which the client notices at once. */
  readonly reset: () => void;
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

/** The response of Google's front end if the backend does not respond. */
const HTML: Reply = {
  status: 502,
  body: Buffer.from('<!DOCTYPE html><title>Error 502</title><p>The server encountered an error.'),
  type: 'text/html; charset=UTF-8',
};

export function json(value: unknown, status = 200): Reply {
  return { status, body: Buffer.from(JSON.stringify(value)) };
}

/** Google's error response for an HTTP status. */
export function failure(status: number, isList = false): Reply {
  return json(isList ? [errorOf(status)] : errorOf(status), status);
}

function errorOf(status: number): { readonly error: object } {
  const name = STATUS_NAMES[status] ?? 'UNKNOWN';
  return { error: { code: status, message: `secret of the database: ${name}`, status: name } };
}

/** Responds to a request, with its fault if it has one. */
export async function deliver(exchange: Exchange, fault?: WireFault): Promise<void> {
  const { response, isList, execute, executeLater, reset } = exchange;
  const { kind, status = 503 } = fault ?? {};
  // Without effect.
  if (kind === 'hang') return;
  if (kind === 'refused' || kind === 'reset') {
    reset();
    return;
  }
  if (kind === 'html' || kind === 'status') {
    send(response, kind === 'html' ? HTML : failure(status, isList));
    return;
  }

  const reply = await (kind === 'delayed' ? executeLater() : execute());
  const half = reply.body.subarray(0, Math.ceil(reply.body.length / 2));
  switch (kind) {
    case 'reset after effect':
      reset();
      return;
    case 'hang after effect':
      return;
    case 'status after effect':
      send(response, failure(status, isList));
      return;
    case 'reset within body':
    case 'hang within body':
      response.writeHead(reply.status, { ...head(reply), 'Content-Length': reply.body.length });
      await new Promise((resolve) => response.write(half, resolve));
      if (kind === 'reset within body') reset();
      return;
    case 'cut':
      send(response, { ...reply, body: half });
      return;
    case 'cut in chunks':
      response.writeHead(reply.status, head(reply));
      response.write(half.subarray(0, 1));
      response.end(half.subarray(1));
      return;
    case 'error at the end': {
      const list = JSON.parse(reply.body.toString()) as unknown;
      const error = errorOf(status);
      send(response, json(Array.isArray(list) ? [...(list as unknown[]), error] : error));
      return;
    }
    default:
      send(response, reply);
  }
}

function send(response: ServerResponse, reply: Reply): void {
  response.writeHead(reply.status, { ...head(reply), 'Content-Length': reply.body.length });
  response.end(reply.body);
}

function head({ type = 'application/json; charset=UTF-8' }: Reply): Record<string, string> {
  return { 'Content-Type': type, 'Cache-Control': 'public, max-age=3600' };
}
