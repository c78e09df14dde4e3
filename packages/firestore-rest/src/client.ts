/**
 * Calls of Firestore's REST API (https://firebase.google.com/docs/firestore/reference/rest). Each returns a complete
 * result or throws a `FirestoreError`.
 */
import type { firestore_v1 as v1 } from '@googleapis/firestore';
import type { TokenSource } from './accessTokens.ts';
import { Backoff } from './backoff.ts';
import { openConnection } from './connection.ts';
import type { Limits, RawResponse } from './exchange.ts';
import { FirestoreError, incomplete, notSent } from './firestoreError.ts';

/** How to reach a database. */
export interface Options {
  readonly project: string;
  readonly database: string;
  readonly tokens: TokenSource;
  /** The project to bill quota to. Needed with user credentials instead of a service account. */
  readonly quotaProject?: string;
  /** `host:port` of an emulator, which is called without TLS. */
  readonly emulator?: string | undefined;
}

/** The request of each call. */
interface Requests {
  batchGet: v1.Schema$BatchGetDocumentsRequest;
  runQuery: v1.Schema$RunQueryRequest;
  runAggregationQuery: v1.Schema$RunAggregationQueryRequest;
  commit: v1.Schema$CommitRequest;
}

/** Extracts the result of a call from its response; undefined if the response is incomplete. */
type ResponseReader<Result> = (response: unknown, bytes: number) => Result | undefined;

/** Opens a client; the connections open with the first calls. */
export function openClient({ project, database, tokens, quotaProject, emulator }: Options) {
  /** How the API names the database. */
  const root = `projects/${project}/databases/${database}/documents`;
  const send = openConnection(emulator ?? 'firestore.googleapis.com', emulator === undefined);
  const routing = `project_id=${encodeURIComponent(project)}&database_id=${encodeURIComponent(database)}`;

  const common = [
    ...['x-goog-request-params', routing],
    ...(quotaProject === undefined ? [] : ['x-goog-user-project', quotaProject]),
  ];

  /** Makes a call once. `parent` is the path of the document whose subcollections it reads. */
  async function call<Method extends keyof Requests, Result>(
    method: Method,
    parent: string,
    request: Requests[Method],
    read: ResponseReader<Result>,
    limits: Limits,
  ): Promise<Result> {
    const path = parent === '' ? '' : `/${parent.split('/').map(encodeURIComponent).join('/')}`;
    const body = JSON.stringify(request);
    const attempt = async () => {
      const token = await currentToken(tokens, limits.signal);
      const response = await send(
        // Otherwise Google indents its JSON (https://cloud.google.com/apis/docs/system-parameters).
        `/v1/${root}${path}:${method}?prettyPrint=false`,
        [...common, 'Authorization', `Bearer ${token}`],
        body,
        limits,
        method === 'commit',
      );
      if (response.status === 401) tokens.discard(token);
      return resultOf(response, read);
    };
    try {
      return await attempt();
    } catch (error) {
      // Once more, with a new token.
      if (error instanceof FirestoreError && error.status === 'UNAUTHENTICATED') return attempt();
      throw error;
    }
  }
  return { root, call };
}

/** Repeats a call that only reads after transient errors, until the deadline. */
export async function repeated<Result>(
  { signal, backoff = new Backoff() }: Limits,
  call: () => Promise<Result>,
): Promise<Result> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof FirestoreError && error.isTransient)) throw error;
      await backoff.wait(error, signal);
    }
  }
}

/** Rejects as soon as the signal aborts, and if there is no token. */
async function currentToken(tokens: TokenSource, signal: AbortSignal): Promise<string> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => {
    aborted.reject(signal.reason);
  };
  try {
    signal.throwIfAborted();
    const token = tokens.get();
    // Most calls need not wait.
    if (typeof token === 'string') return token;
    signal.addEventListener('abort', abort);
    return await Promise.race([token, aborted.promise]);
  } catch (cause) {
    throw notSent(cause);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/**
 * Parses a response. Firestore itself sends 200 or a JSON error. Anything else was truncated or
 * comes from a proxy, and says nothing about the outcome of the call.
 */
function resultOf<Result>(
  { status: httpStatus, text, bytes }: RawResponse,
  read: ResponseReader<Result>,
): Result {
  let body: unknown;
  let result: Result | undefined;
  try {
    body = JSON.parse(text);
    result = read(body, bytes);
  } catch {
    // No JSON, or JSON of another shape.
  }
  const error = errorElement(body);
  if (httpStatus !== 200 || error) {
    const { status, message } = error ?? {};
    throw new FirestoreError(
      typeof status === 'string' ? status : 'UNAVAILABLE',
      typeof message === 'string' ? message : `HTTP ${httpStatus}`,
    );
  }
  if (result === undefined) throw incomplete('The response lacks a result.');
  return result;
}

/** The `error` of a response body. Calls that return a list report it as an element of the list. */
function errorElement(body: unknown): { status?: unknown; message?: unknown } | undefined {
  const elements = [body].flat() as readonly ({ readonly error?: unknown } | undefined)[];
  const element = elements.find((each) => each?.error !== undefined);
  // It may be null or a text, instead of an object with a status.
  return element && (Object(element.error) as object);
}
