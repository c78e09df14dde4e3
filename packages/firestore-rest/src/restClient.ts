/**
 * Calls of Firestore's REST API (https://firebase.google.com/docs/firestore/reference/rest). Each returns a complete
 * result or throws a `FirestoreError`.
 */
import type { firestore_v1 as v1 } from '@googleapis/firestore';
import { FirestoreError, incompleteResponseError, notSentError } from './firestoreError.ts';
import type { CallLimits } from './retry.ts';
import { createTransport, type TransportResponse } from './transport.ts';

/** A source of access tokens. */
export interface AccessTokenSource {
  /** Returns a valid token, or a promise of it if it must be fetched. */
  get(): string | Promise<string>;
  /** Forgets a token that Firestore has rejected. */
  discard(token: string): void;
}

/** Options of a client: the database, and access to it. */
export interface FirestoreOptions {
  readonly project: string;
  readonly database: string;
  readonly tokens: AccessTokenSource;
  /** The project to bill quota to. Needed with user credentials instead of a service account. */
  readonly quotaProject?: string;
  /** `host:port` of an emulator, which is called without TLS. */
  readonly emulator?: string | undefined;
}

/** The type of the request body, by method. */
interface RequestBodies {
  batchGet: v1.Schema$BatchGetDocumentsRequest;
  runQuery: v1.Schema$RunQueryRequest;
  runAggregationQuery: v1.Schema$RunAggregationQueryRequest;
  commit: v1.Schema$CommitRequest;
}

/** Extracts the result of a call from its response; undefined if the response is incomplete. */
type ResponseParser<Result> = (response: unknown, bytes: number) => Result | undefined;

/** Creates a client. Connections open with the first calls. */
export function createRestClient({
  project,
  database,
  tokens,
  quotaProject,
  emulator,
}: FirestoreOptions) {
  /** The resource name of the database's documents. */
  const documentsRoot = `projects/${project}/databases/${database}/documents`;
  const send = createTransport(emulator ?? 'firestore.googleapis.com', {
    useTls: emulator === undefined,
  });
  const routing = `project_id=${encodeURIComponent(project)}&database_id=${encodeURIComponent(database)}`;
  /** Alternating names and values. */
  const commonHeaders = ['x-goog-request-params', routing];
  if (quotaProject !== undefined) commonHeaders.push('x-goog-user-project', quotaProject);

  /**
   * Makes a call, and repeats it with a new token if its token was rejected. `parent` is the path
   * of the document whose subcollections it reads.
   */
  async function call<Method extends keyof RequestBodies, Result>(
    method: Method,
    parent: string,
    request: RequestBodies[Method],
    parse: ResponseParser<Result>,
    limits: CallLimits,
  ): Promise<Result> {
    const path = parent === '' ? '' : `/${parent.split('/').map(encodeURIComponent).join('/')}`;
    const body = JSON.stringify(request);
    const attempt = async () => {
      const token = await waitForToken(tokens, limits.signal);
      const response = await send(
        {
          // Otherwise Google indents its JSON (https://cloud.google.com/apis/docs/system-parameters).
          path: `/v1/${documentsRoot}${path}:${method}?prettyPrint=false`,
          headers: [...commonHeaders, 'Authorization', `Bearer ${token}`],
          body,
          isCommit: method === 'commit',
        },
        limits,
      );
      if (response.status === 401) tokens.discard(token);
      return parseResponse(response, parse);
    };
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof FirestoreError && error.status === 'UNAUTHENTICATED') return attempt();
      throw error;
    }
  }
  return { documentsRoot, call };
}

/** Waits for a token. Rejects if there is none, or as soon as the signal aborts. */
async function waitForToken(tokens: AccessTokenSource, signal: AbortSignal): Promise<string> {
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
    throw notSentError(cause);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/**
 * Parses a response. Firestore itself sends 200 or a JSON error. Anything else was truncated or
 * comes from a proxy, and says nothing about the outcome of the call.
 */
function parseResponse<Result>(
  { status: httpStatus, text, bytes }: TransportResponse,
  parse: ResponseParser<Result>,
): Result {
  let body: unknown;
  let result: Result | undefined;
  try {
    body = JSON.parse(text);
    result = parse(body, bytes);
  } catch {
    // The text is not JSON, or has another structure.
  }
  const error = findError(body);
  if (httpStatus !== 200 || error) {
    const { status, message } = error ?? {};
    throw new FirestoreError(
      typeof status === 'string' ? status : 'UNAVAILABLE',
      typeof message === 'string' ? message : `HTTP ${httpStatus}`,
    );
  }
  if (result === undefined) throw incompleteResponseError('The response lacks a result.');
  return result;
}

/** Finds the `error` of a response body. Calls that return a list report it as an element of the list. */
function findError(body: unknown): { status?: unknown; message?: unknown } | undefined {
  const elements = [body].flat() as readonly ({ readonly error?: unknown } | undefined)[];
  const failed = elements.find((element) => element?.error !== undefined);
  // The error may be null or a string instead of an object with a status.
  return failed && (Object(failed.error) as object);
}
