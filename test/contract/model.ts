/** Types of the model, and the functions that the models of all endpoints share. */
import type { Arbitrary } from 'fast-check';
import type { ErrorCode } from '@tattoo-marketplace/endpoints';
import { encodeFields, isMap, type DocumentData } from './values.ts';

/** Everything that is stored, by path: `flash/~f0`. In ids, `~` stands for a prefix that each history has for itself. */
export type State = Readonly<Record<string, DocumentData>>;

/** New documents by path; null deletes one. */
export type Writes = Readonly<Record<string, DocumentData | null>>;

export interface Request {
  readonly functionId: string;
  /** The user whose valid ID token is sent, if any. */
  readonly caller?: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  /** The JSON text. */
  readonly body?: string;
}

/** A request to a function, or what another program writes after a while. */
export type Operation = Request | { readonly writes: Writes; readonly waitMs: number };

/** The body of a 200 response, or the `X-Error-Code` of an error. */
export type Response = Readonly<{ body?: unknown; code?: string }>;

/** The response to an operation, and the state afterwards. */
export type Outcome = Readonly<{ response: Response; state: State }>;

/** A request as models see it. The caller of a public endpoint may be `''`. */
export interface ModelRequest extends Request {
  readonly caller: string;
  readonly state: State;
  /** The id of the document that it creates, if it creates one. */
  readonly newId: string;
}

/** Generators of values for fields, and for fields of a map. */
type Values = Readonly<Record<string, Arbitrary<unknown>>>;
export type Generators = Readonly<Record<string, Arbitrary<unknown> | Values>>;

/** Generators of documents, by path. */
export type Documents = Readonly<Record<string, Arbitrary<DocumentData>>>;

/** An endpoint: what it must do, and what tests send to it. */
export interface EndpointModel {
  /** True if the endpoint ignores the token. All others need a signed-in user. */
  readonly isPublic?: true | undefined;
  /** The response to a request whose caller is known, and the state afterwards. */
  readonly apply: (request: ModelRequest) => Outcome;
  /** The documents that other programs store, by path. Most histories have the first few of them. */
  readonly documents: Documents;
  /** Values of fields of requests. Declared fields that it does not name get values by their schemas. */
  readonly request: Readonly<Partial<Record<'params' | 'query' | 'body', Generators>>>;
}

/** An error response. Its message is the code. A request that ends with it changes nothing. */
export class ModelError extends Error {}

export function ensure(condition: boolean, code: ErrorCode): asserts condition {
  if (!condition) throw new ModelError(code);
}

export function ensureValid(condition: boolean): asserts condition {
  ensure(condition, 'invalid-argument');
}

/** A 200 response. Members of the body that are undefined are left out. */
export function respond(body: unknown, state: State): Outcome {
  return { response: { body: JSON.parse(JSON.stringify(body)) as unknown }, state };
}

/** The body, which must be a JSON object. Fields that the endpoint does not have are ignored. */
export function parseBody({ body = '' }: Request): DocumentData {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    throw new ModelError('invalid-argument');
  }
  ensureValid(isMap(parsed));
  return parsed;
}

/** Ensures that documents exist, and then that the caller owns them, by what is stored. */
export function ensureOwned(paths: readonly string[], request: ModelRequest, owner = 'artistId') {
  const documents = paths.map((path) => request.state[path]);
  for (const data of documents) ensure(data !== undefined, 'not-found');
  for (const data of documents) ensure(data?.[owner] === request.caller, 'permission-denied');
}

/** The state after the caller changes documents of their own, all or none. */
export function updateOwned(changes: Writes, request: ModelRequest, owner?: string): State {
  ensureOwned(Object.keys(changes), request, owner);
  return update(changes, request.state);
}

/** The state after the creation of a document, by its collection, with the fields that it gets. */
export function create(collection: string, fields: DocumentData, request: ModelRequest): State {
  const path = `${collection}/${request.newId}`;
  ensure(!(path in request.state), 'already-exists');
  return update({ [path]: fields }, request.state);
}

/** The state with new values for fields of documents, by path. A field that is undefined is removed; null deletes a document. */
export function update(changes: Writes, state: State): State {
  const writes = Object.entries(changes).map(([path, fields]) => {
    const stored = state[path] ?? {};
    return [path, fields && { ...stored, ...encodeFields(fields, stored, path) }] as const;
  });
  // As JSON, -0 is 0.
  return write(JSON.parse(JSON.stringify(Object.fromEntries(writes))) as Writes, state);
}

/** The state with other documents. */
export function write(writes: Writes, state: State): State {
  const documents = Object.entries({ ...state, ...writes });
  return Object.fromEntries(documents.filter(([, data]) => data !== null)) as State;
}
