/** The types of endpoint models, and the functions that all of them share. */
import type { Arbitrary } from 'fast-check';
import type { ErrorCode } from '@tattoo-marketplace/endpoints';
import { encodeChangedFields, isMap, type DocumentData } from './values.ts';

/** All stored documents, by path: `flash/~f0`. `~` in an id stands for a prefix that is unique to the history. */
export type State = Readonly<Record<string, DocumentData>>;

/** New documents by path; null deletes one. */
export type Writes = Readonly<Record<string, DocumentData | null>>;

/** A request to a function. */
export interface FunctionRequest {
  readonly functionId: string;
  /** The user whose valid ID token is sent, if any. */
  readonly callerId?: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  /** The JSON text. */
  readonly body?: string;
}

/** A request to a function, or a direct write of another program after a while. */
export type HistoryOperation =
  FunctionRequest | { readonly writes: Writes; readonly waitMs: number };

/** The body of a 200 response, or the `X-Error-Code` of an error. */
export type Response = Readonly<{ body?: unknown; code?: string }>;

/** The response to an operation, and the state afterwards. */
export type Outcome = Readonly<{ response: Response; state: State }>;

/** A request to a model. Without a token, the caller of a public endpoint is `''`. */
export interface ModelRequest extends FunctionRequest {
  readonly callerId: string;
  readonly state: State;
  /** The id of the document that the request creates, if it creates one. */
  readonly newId: string;
}

/** Generators of values for fields, and for fields of a map. */
type Values = Readonly<Record<string, Arbitrary<unknown>>>;
export type Generators = Readonly<Record<string, Arbitrary<unknown> | Values>>;

/** Generators of documents, by path. */
export type Documents = Readonly<Record<string, Arbitrary<DocumentData>>>;

/** An endpoint: what it must do, and the requests and documents that test it. */
export interface EndpointModel {
  /** True if the endpoint ignores the token. All others need a signed-in user. */
  readonly isPublic?: true | undefined;
  /** Returns the response to an authenticated or public request, and the state afterwards. */
  readonly apply: (request: ModelRequest) => Outcome;
  /** Documents that other programs store. Most histories have only the first of them. */
  readonly documents: Documents;
  /** Values of fields of requests. Other declared fields get values by their schemas. */
  readonly request: Readonly<Partial<Record<'params' | 'query' | 'body', Generators>>>;
  /** The number of documents that it reads besides those of its request or list, each by a call of its own. Default: 0. */
  readonly extraReads?: number | undefined;
  /** The number of documents that it writes besides those of its request. Default: 0. */
  readonly extraWrites?: number;
}

/** The id of a function, and its model. */
export type ModelEntry = readonly [functionId: string, model: EndpointModel];

/** An error response, whose code is the message. The request has changed nothing. */
export class ModelError extends Error {}

export function ensure(condition: boolean, code: ErrorCode): asserts condition {
  if (!condition) throw new ModelError(code);
}

export function ensureValid(condition: boolean): asserts condition {
  ensure(condition, 'invalid-argument');
}

/** Creates a 200 response. Omits fields of the body that are undefined. */
export function respond(body: unknown, state: State): Outcome {
  return { response: { body: JSON.parse(JSON.stringify(body)) as unknown }, state };
}

/** Parses the body, which must be a JSON object. */
export function parseBody({ body = '' }: FunctionRequest): DocumentData {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    throw new ModelError('invalid-argument');
  }
  ensureValid(isMap(parsed));
  return parsed;
}

/** Returns a document, if it exists and one of these fields is the caller, or a list with the caller. */
export function findForRole(
  path: string,
  roles: readonly string[],
  { state, callerId }: ModelRequest,
): DocumentData {
  const data = state[path];
  ensure(data !== undefined, 'not-found');
  const hasRole = roles.some((role) => [data[role]].flat().includes(callerId));
  ensure(hasRole, 'permission-denied');
  return data;
}

/** Ensures that documents exist, and then that the caller owns them. `owner` is the field with the owner. */
export function ensureOwned(paths: readonly string[], request: ModelRequest, owner = 'artistId') {
  const documents = paths.map((path) => request.state[path]);
  for (const data of documents) ensure(data !== undefined, 'not-found');
  for (const data of documents) ensure(data?.[owner] === request.callerId, 'permission-denied');
}

/** Changes documents that the caller owns, all or none. Returns the state afterwards. */
export function changeOwned(changes: Writes, request: ModelRequest, owner?: string): State {
  ensureOwned(Object.keys(changes), request, owner);
  return update(changes, request.state);
}

/** Creates a document in a collection. Returns the state afterwards. */
export function create(collection: string, fields: DocumentData, request: ModelRequest): State {
  const path = `${collection}/${request.newId}`;
  ensure(!(path in request.state), 'already-exists');
  return update({ [path]: fields }, request.state);
}

/** Changes fields of documents, by path, and removes fields that are undefined; null deletes a document. Returns the state afterwards. */
export function update(changes: Writes, state: State): State {
  const writes = Object.entries(changes).map(([path, fields]) => {
    const stored = state[path] ?? {};
    return [path, fields && { ...stored, ...encodeChangedFields(fields, stored, path) }] as const;
  });
  // As JSON, -0 is 0.
  return write(JSON.parse(JSON.stringify(Object.fromEntries(writes))) as Writes, state);
}

/** Replaces documents, by path; null deletes a document. Returns the state afterwards. */
export function write(writes: Writes, state: State): State {
  const documents = Object.entries({ ...state, ...writes });
  return Object.fromEntries(documents.filter(([, data]) => data !== null)) as State;
}
