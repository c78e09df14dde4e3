/**
 * Maps Firestore's REST API v1 (https://firebase.google.com/docs/firestore/reference/rest) to the calls that gRPC also
 * uses.
 */
import { status as Codes } from '@grpc/grpc-js';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { jsonOf, MalformedJson, messageOf } from './json.ts';
import { callTypes, type CallTypes } from './protocol.ts';
import type { Call } from './service.ts';
import { Status, StatusError, statusOf } from './status.ts';

/**
 * For each method after the colon of a path: its call, the request field that the resource before the colon sets, and
 * whether it returns a list.
 */
const METHODS: Readonly<
  Record<string, { call: string; resource: 'database' | 'parent'; isList?: boolean }>
> = {
  runQuery: { call: 'RunQuery', resource: 'parent', isList: true },
  runAggregationQuery: { call: 'RunAggregationQuery', resource: 'parent', isList: true },
  batchGet: { call: 'BatchGetDocuments', resource: 'database', isList: true },
  commit: { call: 'Commit', resource: 'database' },
  batchWrite: { call: 'BatchWrite', resource: 'database' },
  beginTransaction: { call: 'BeginTransaction', resource: 'database' },
  rollback: { call: 'Rollback', resource: 'database' },
};

/** The HTTP status of a gRPC code (https://cloud.google.com/apis/design/errors#handling_errors). */
const HTTP_STATUSES: Readonly<Record<number, number>> = {
  [Codes.CANCELLED]: 499,
  [Codes.INVALID_ARGUMENT]: 400,
  [Codes.DEADLINE_EXCEEDED]: 504,
  [Codes.NOT_FOUND]: 404,
  [Codes.ALREADY_EXISTS]: 409,
  [Codes.PERMISSION_DENIED]: 403,
  [Codes.RESOURCE_EXHAUSTED]: 429,
  [Codes.FAILED_PRECONDITION]: 400,
  [Codes.ABORTED]: 409,
  [Codes.OUT_OF_RANGE]: 400,
  [Codes.UNIMPLEMENTED]: 501,
  [Codes.UNAVAILABLE]: 503,
  [Codes.UNAUTHENTICATED]: 401,
};

/** Like Google's front end, so that clients do not find idle connections closed. */
const KEEP_ALIVE_MS = 240_000;

/** The call that a path addresses. */
interface Target {
  readonly call: Call;
  readonly types: CallTypes;
  readonly resource: Readonly<Record<string, string>>;
  readonly isList: boolean;
}

/** Creates an HTTP server for the REST API; the caller makes it listen. */
export function restServer(calls: Readonly<Record<string, Call>>): Server {
  const types = callTypes();

  function targetOf({ method, url = '/' }: IncomingMessage): Target | undefined {
    const path = decodedPath(url);
    const [, parent = '', database = '', word = ''] =
      /^\/v1\/((projects\/[^/]+\/databases\/[^/]+)\/documents(?:\/.*)?):(\w+)$/s.exec(path) ?? [];
    const known = METHODS[word];
    const call = known && calls[known.call];
    const messages = known && types.get(known.call);
    if (method !== 'POST' || !call || !messages) return undefined;
    const { resource, isList = false } = known;
    const name = resource === 'parent' ? parent : database;
    return { call, types: messages, resource: { [resource]: name }, isList };
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const target = targetOf(request);
    if (target === undefined) {
      send(response, 404, 'Not Found\n', 'text/plain');
      return;
    }
    try {
      requireOwner(request);
      const json = await execute(target, body);
      send(response, 200, JSON.stringify(json));
    } catch (error) {
      const { code, message } = statusOf(error);
      const status = HTTP_STATUSES[code] ?? 500;
      const fault = { code: status, message, status: Codes[code] ?? 'UNKNOWN' };
      send(response, status, JSON.stringify({ error: fault }));
    }
  }

  return createServer({ noDelay: true, keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    // The client has disconnected.
    handle(request, response).catch(() => response.destroy());
  });
}

/** The decoded path of a request; empty if an escape is malformed, so that nothing is found. */
function decodedPath(url: string): string {
  try {
    return decodeURIComponent(new URL(url, 'http://firestore').pathname);
  } catch {
    return '';
  }
}

async function execute({ call, types, resource, isList }: Target, body: Buffer): Promise<unknown> {
  const request = { ...requestOf(types, body), ...resource };
  const responses = await Array.fromAsync(call(request), (each) => jsonOf(types.response, each));
  return isList ? responses : responses[0];
}

function requestOf({ request }: CallTypes, body: Buffer): object {
  try {
    return messageOf(request, body.length === 0 ? {} : JSON.parse(body.toString()));
  } catch (error) {
    if (!(error instanceof MalformedJson || error instanceof SyntaxError)) throw error;
    throw new StatusError(Status.INVALID_ARGUMENT, 'Payload isn’t valid for request.');
  }
}

/** Requires the administrator credentials of an emulator; security rules deny everybody else. */
function requireOwner({ headers }: IncomingMessage): void {
  if (headers.authorization !== 'Bearer owner') {
    throw new StatusError(Status.PERMISSION_DENIED, 'Missing or insufficient permissions.');
  }
}

function send(
  response: ServerResponse,
  status: number,
  body: string,
  type = 'application/json; charset=UTF-8',
): void {
  response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) });
  response.end(body);
}
