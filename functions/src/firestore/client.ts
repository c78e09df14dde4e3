/**
 * Firestore's REST API (https://firebase.google.com/docs/firestore/reference/rest). Each call ends at the request's
 * deadline, is retried after transient errors, and returns a complete result or throws.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { databaseId } from '../parameters.ts';
import { projectId } from '../platform/project.ts';
import { accessToken, discardToken } from '../platform/credentials.ts';
import { currentContext } from '../platform/requestContext.ts';
import { connection, type Connection, type RawResponse } from './connection.ts';
import { unavailable } from '../errors.ts';
import {
  errorElement,
  errorOf,
  FirestoreError,
  incomplete,
  notSent,
  type Status,
} from '@tattoo-marketplace/firestore-rest';
import { toJson } from '@tattoo-marketplace/firestore-rest';

/** Exponential backoff with full jitter, in ms. */
const FIRST_WAIT_MS = 20;
const WAIT_FACTOR = 2;
const LONGEST_WAIT_MS = 1_000;

/** How to reach the database of this process. */
interface Database {
  /** `projects/…/databases/…/documents` */
  readonly root: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly send: Connection;
  readonly isEmulator: boolean;
}

let opened: Database | undefined;

/** Project and address come from the environment. */
function database(): Database {
  if (opened !== undefined) return opened;
  const project = projectId();
  const id = databaseId.value();
  const emulator = process.env.FIRESTORE_EMULATOR_HOST;
  const routing = `project_id=${encodeURIComponent(project)}&database_id=${encodeURIComponent(id)}`;
  opened = {
    root: `projects/${project}/databases/${id}/documents`,
    headers: ['x-goog-request-params', routing],
    send: connection(emulator ?? 'firestore.googleapis.com', emulator === undefined),
    isEmulator: emulator !== undefined,
  };
  return opened;
}

/** The full name of a document or collection at a path below the database: `flash/abc`. */
export function nameOf(path: string): string {
  return `${database().root}/${path}`;
}

/** The path of a document below the database. */
export function pathOf(name: string): string {
  return name.slice(database().root.length + 1);
}

/** Extracts the result of a call from its response; undefined if the response is incomplete. */
export type ResponseReader<Result> = (response: unknown) => Result | undefined;

/**
 * Makes an idempotent call and retries it until it succeeds or the deadline passes. `parent` is the path of the
 * document whose subcollections the call reads. Throws `unavailable` at the deadline, and a `FirestoreError` for
 * permanent errors.
 */
export async function call<Result>(
  method: string,
  parent: string,
  request: object,
  read: ResponseReader<Result>,
): Promise<Result> {
  const body = toJson(request);
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt(method, parent, body, read);
    } catch (error) {
      if (!(error instanceof FirestoreError && error.isTransient)) throw error;
      await waitAfter(attempts, error);
    }
  }
}

/** The outcome of a commit. */
export type CommitOutcome =
  /** All writes were applied. */
  | 'done'
  /** No write was applied, and none will be. */
  | 'failed'
  /** All or none of the writes may have been applied, or may be later. */
  | 'unknown';

/** Commits once, without retries. Throws a `FirestoreError` for permanent errors. */
export async function commitOnce(writes: readonly object[]): Promise<CommitOutcome> {
  const read = (response: unknown) =>
    (response as { writeResults?: unknown[] }).writeResults?.length === writes.length
      ? ('done' as const)
      : undefined;
  try {
    return await attempt('commit', '', toJson({ writes }), read);
  } catch (error) {
    if (!(error instanceof FirestoreError)) throw error;
    if (error.wasNotSent || WITHOUT_EFFECT.has(error.status)) return 'failed';
    if (error.isTransient) return 'unknown';
    throw error;
  }
}

/** Errors of a commit that was not applied but may succeed if its documents are read again. */
const WITHOUT_EFFECT: ReadonlySet<Status> = new Set([
  'FAILED_PRECONDITION',
  'NOT_FOUND',
  'ABORTED',
  'RESOURCE_EXHAUSTED',
]);

/** Waits before the next attempt. Throws `unavailable` if the deadline passes first. */
export async function waitAfter(attempts: number, cause?: unknown): Promise<void> {
  const { signal } = currentContext();
  const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * WAIT_FACTOR ** attempts);
  try {
    await delay(Math.random() * longest, undefined, { signal });
  } catch {
    throw unavailable(cause);
  }
}

/** One attempt, repeated once with a new access token if the first one was rejected. */
async function attempt<Result>(
  method: string,
  parent: string,
  requestBody: string,
  read: ResponseReader<Result>,
): Promise<Result> {
  const token = await currentToken();
  let response = await exchange(method, parent, requestBody, token);
  if (response.status === 401) {
    discardToken(token);
    response = await exchange(method, parent, requestBody, await currentToken());
  }
  const body = parsed(response.text);
  if (response.status !== 200 || errorElement(body)) throw errorOf(response.status, body);
  const result = resultOf(body, read);
  if (result === undefined) throw incomplete('The response lacks a result.');
  return result;
}

async function currentToken(): Promise<string> {
  // The emulator needs no credentials.
  if (database().isEmulator) return 'owner';
  try {
    return await accessToken();
  } catch (cause) {
    throw notSent(incomplete('No access token could be fetched.', cause));
  }
}

/** The JSON of a response; undefined if it is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The result of a response; undefined for JSON of another shape, which something in between must have sent. */
function resultOf<Result>(body: unknown, read: ResponseReader<Result>): Result | undefined {
  try {
    return read(body);
  } catch {
    return undefined;
  }
}

async function exchange(
  method: string,
  parent: string,
  body: string,
  token: string,
): Promise<RawResponse> {
  const { root, headers, send } = database();
  const context = currentContext();
  const path = parent === '' ? '' : `/${parent.split('/').map(encodeURIComponent).join('/')}`;
  const { signal } = context;
  if (signal.aborted) throw notSent(incomplete('The deadline has passed.', signal.reason));
  return send(
    // Otherwise Google indents its JSON (https://cloud.google.com/apis/docs/system-parameters).
    `/v1/${root}${path}:${method}?prettyPrint=false`,
    [...headers, 'Authorization', `Bearer ${token}`],
    body,
    context,
  );
}
