/**
 * Firestore by its REST interface (https://firebase.google.com/docs/firestore/reference/rest). Each call ends at the
 * request's deadline, is tried again where that can help, and gives a whole answer or none.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { databaseId } from '../parameters.ts';
import { currentContext } from '../requestContext.ts';
import { connection, type Connection, type RawResponse } from './connection.ts';
import { accessToken, discardToken } from './credentials.ts';
import { errorElement, errorOf, FirestoreError, incomplete, unavailable } from './errors.ts';
import { toJson } from './values.ts';

/** The waits between attempts, in ms: a random part of a time that grows. */
const FIRST_WAIT_MS = 20;
const WAIT_FACTOR = 2;
const LONGEST_WAIT_MS = 1_000;

/** Where the database is. */
interface Database {
  /** `projects/…/databases/…/documents` */
  readonly root: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly send: Connection;
  /** An emulator's token, which needs no credentials. */
  readonly fixedToken?: string;
}

let opened: Database | undefined;

/** The database of this process: its project and its address are those of the environment. */
function database(): Database {
  opened ??= open();
  return opened;
}

function open(): Database {
  const project = projectId();
  const id = databaseId.value();
  const emulator = process.env.FIRESTORE_EMULATOR_HOST;
  return {
    root: `projects/${project}/databases/${id}/documents`,
    headers: {
      'x-goog-request-params': `project_id=${encodeURIComponent(project)}&database_id=${encodeURIComponent(id)}`,
    },
    send: connection(emulator ?? 'firestore.googleapis.com', emulator === undefined),
    ...(emulator !== undefined && { fixedToken: 'owner' }),
  };
}

/** The platform sets one of these. */
function projectId(): string {
  const { GCLOUD_PROJECT, GOOGLE_CLOUD_PROJECT, FIREBASE_CONFIG } = process.env;
  const named = GCLOUD_PROJECT ?? GOOGLE_CLOUD_PROJECT;
  if (named !== undefined) return named;
  const { projectId } = JSON.parse(FIREBASE_CONFIG ?? '{}') as { projectId?: string };
  if (projectId === undefined) throw new Error('The environment names no project.');
  return projectId;
}

/** The full name of a document or collection at a path below the database: `flash/abc`. */
export function nameOf(path: string): string {
  return `${database().root}/${path}`;
}

/** The path of a document below the database. */
export function pathOf(name: string): string {
  return name.slice(database().root.length + 1);
}

/** Checks an answer, and takes from it what the call is to give; undefined where something is missing from it. */
export type Reading<Result> = (answer: unknown) => Result | undefined;

/**
 * Makes a call that may be made again without harm, until it gives a whole answer or the deadline is there. `parent` is
 * the path of the document below which the call looks. Throws `unavailable` at the deadline, and a `FirestoreError` for
 * what no further attempt can mend.
 */
export async function call<Result>(
  method: string,
  parent: string,
  request: object,
  read: Reading<Result>,
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

/** What became of a commit. */
export type CommitOutcome =
  /** All of it was done. */
  | 'done'
  /** Nothing was done: a document is no longer as it was read, or there is none any more. */
  | 'conflict'
  /** It may have been done, or may still be. */
  | 'unknown';

/** Commits once. Throws a `FirestoreError` for what no further attempt can mend. */
export async function commitOnce(writes: readonly object[]): Promise<CommitOutcome> {
  const read = (answer: unknown) =>
    (answer as { writeResults?: unknown[] }).writeResults?.length === writes.length
      ? ('done' as const)
      : undefined;
  try {
    return await attempt('commit', '', toJson({ writes }), read);
  } catch (error) {
    if (!(error instanceof FirestoreError)) throw error;
    switch (error.status) {
      case 'FAILED_PRECONDITION':
      case 'NOT_FOUND':
      case 'ABORTED':
      case 'RESOURCE_EXHAUSTED':
        return 'conflict';
      default:
        if (error.isTransient) return 'unknown';
        throw error;
    }
  }
}

/** Waits before the next attempt. Throws `unavailable` where the deadline comes first. */
export async function waitAfter(attempts: number, cause?: unknown): Promise<void> {
  const { signal } = currentContext();
  const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * WAIT_FACTOR ** attempts);
  try {
    await delay(Math.random() * longest, undefined, { signal });
  } catch {
    throw unavailable(cause);
  }
}

/** One attempt; a second one where the access token had expired. */
async function attempt<Result>(
  method: string,
  parent: string,
  body: string,
  read: Reading<Result>,
): Promise<Result> {
  const { fixedToken } = database();
  const token = fixedToken ?? (await accessToken());
  let response = await exchange(method, parent, body, token);
  if (response.status === 401 && fixedToken === undefined) {
    discardToken(token);
    response = await exchange(method, parent, body, await accessToken());
  }
  const answer = parsed(response);
  if (response.status !== 200 || errorElement(answer)) throw errorOf(response.status, answer);
  const result = read(answer);
  if (result === undefined) throw incomplete('Something is missing from the answer.');
  return result;
}

async function exchange(
  method: string,
  parent: string,
  body: string,
  token: string,
): Promise<RawResponse> {
  const { root, headers, send } = database();
  const { signal } = currentContext();
  const path = parent === '' ? '' : `/${parent.split('/').map(encodeURIComponent).join('/')}`;
  try {
    signal.throwIfAborted();
    return await send(
      `/v1/${root}${path}:${method}`,
      { ...headers, Authorization: `Bearer ${token}` },
      body,
      signal,
    );
  } catch (error) {
    throw signal.aborted ? unavailable(error) : error;
  }
}

/** The JSON of a response. What does not parse as a whole, as a proxy's page of HTML does not, is no answer. */
function parsed({ status, text }: RawResponse): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (status !== 200) return undefined;
    throw incomplete('The answer is no JSON.', error);
  }
}
