/** What the rules of all endpoints are written with. */
import type { Arbitrary } from 'fast-check';
import {
  declared,
  isMap,
  isNumber,
  isTimeField,
  isTimestamp,
  storedTime,
  timeOf,
  timesIn,
  type DocumentData,
} from './values.ts';

/** An endpoint of the contract: what it answers and changes, and what random histories send to it. */
export interface Entry {
  /** Whether it ignores the token. All others need a signed-in user. */
  readonly isPublic?: true;
  /** Whether it changes nothing. */
  readonly isRead?: true;
  /** The field of its response with the id of the document that it creates. */
  readonly creates?: string;
  /** What a call does, once its caller is known. */
  readonly answer: (request: Request) => Outcome;
  readonly send: Arbitrary<Sent>;
  /** The documents that other programs store and delete meanwhile, by path. */
  readonly stored: Stored;
  /** What is too large, or too many, for histories of all endpoints. */
  readonly apart?: readonly Scene[];
  /** How often it has histories of its own, compared with others; once, if undefined. */
  readonly often?: number;
}

/** In ids, `~` stands for what tells the documents and people of a history from those of others. */
export type Stored = Readonly<Record<string, Arbitrary<DocumentData>>>;
export type Scene = Pick<Entry, 'send' | 'stored'>;

/** The parts of a request. */
export interface Sent {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  /** The JSON text. */
  readonly body?: string;
}

/** A request to a function, or a write of another program. */
export interface Call extends Sent {
  readonly functionId: string;
  /** The user whose valid token is sent, if any. */
  readonly caller?: string;
  /** What another program stores. */
  readonly written?: Writes;
}

/** Everything stored, by path: `flash/abc`. */
export type Documents = Readonly<Record<string, DocumentData>>;

/** Documents to store as a whole, or null to delete them. */
export type Writes = Readonly<Record<string, DocumentData | null>>;

/** The `X-Error-Code` of an error, and its status. Every error has the body `{"message": "…"}`. */
export const STATUSES = {
  'invalid-argument': 400,
  'cursor-not-found': 400,
  unauthenticated: 401,
  'permission-denied': 403,
  'not-found': 404,
  'already-exists': 409,
  /** Firestore fails: nothing was done, and nothing will be. */
  unavailable: 503,
  /** Firestore fails: all of it or nothing was done, or is done a moment later. */
  'outcome-unknown': 503,
} as const;
export type Code = keyof typeof STATUSES;

/** A response. */
export type Answer =
  | { readonly status: 200; readonly body: unknown }
  | { readonly status: number; readonly code: Code };

/** When a call takes effect. A page is read at several times, between which other calls may take effect. */
export interface Moment {
  readonly documents: Documents;
  /**
   * The server's time when a write is put together, after the reading that it depends on: `updatedAt` of what it changes,
   * whatever is stored ("`updatedAt`").
   */
  readonly now: number;
  /** The id of the document that it creates, if it does. */
  readonly id?: string | undefined;
  /** What was stored when the cursor and the conversation were read, before the page. */
  readonly earlier?: Documents;
  /** What was stored when the list was counted, before or after the page. */
  readonly counted?: Documents;
  /** What was stored while the page was read in vain, because it was too large. */
  readonly meanwhile?: readonly Documents[];
  /** How often it was then read again, each time with a quarter of its limit. */
  readonly quarters?: number;
}

/** A call at a moment; the caller of a public endpoint may be nobody. */
export interface Request extends Call, Moment {
  readonly caller: string;
}

/** The answer to a call, and what is stored after it. */
export interface Outcome {
  readonly answer: Answer;
  readonly documents: Documents;
}

/** Its message is the code. */
export class Refusal extends Error {}

export function demand(isMet: boolean, code: Code): asserts isMet {
  if (!isMet) throw new Refusal(code);
}

export function valid(isMet: boolean): asserts isMet {
  demand(isMet, 'invalid-argument');
}

export function ok(body: unknown, documents: Documents): Outcome {
  return { answer: { status: 200, body }, documents };
}

/** The body must be a JSON object. Fields that the function does not know are ignored. */
export function bodyOf({ body = '' }: Call): DocumentData {
  let sent: unknown;
  try {
    sent = JSON.parse(body);
  } catch {
    throw new Refusal('invalid-argument');
  }
  valid(isMap(sent));
  return sent;
}

/** The documents with these paths. All must exist, and belong to the caller by what is stored. */
export function owned(
  paths: readonly string[],
  { documents, caller }: Request,
  owner = 'artistId',
): DocumentData[] {
  const found = paths.flatMap((path) => documents[path] ?? []) as DocumentData[];
  demand(found.length === paths.length, 'not-found');
  for (const data of found) demand(data[owner] === caller, 'permission-denied');
  return found;
}

/** The documents after changes of some that the caller owns, all or none. */
export function changedOwned(changes: Writes, request: Request, owner?: string): Documents {
  owned(Object.keys(changes), request, owner);
  return changed(request.documents, changes);
}

/** The documents after the creation of one for the caller. Its id is new, and as Firestore's own. */
export function created(
  collection: string,
  fields: DocumentData,
  { documents, caller, id = '' }: Request,
  owner = 'artistId',
): Documents {
  const path = `${collection}/${id}`;
  demand(/^[A-Za-z0-9]{20}$/.test(id) && !(path in documents), 'already-exists');
  return changed(documents, { [path]: { ...fields, [owner]: caller } });
}

/** The documents after changes of some: new values for fields of each, by its path, or null to delete it. */
export function changed(documents: Documents, changes: Writes): Documents {
  const written = Object.entries(changes).map(([path, fields]) => [
    path,
    fields && withFields(documents[path] ?? {}, fields, path),
  ]);
  return withWrites(documents, Object.fromEntries(written) as Writes);
}

/**
 * A document with new values for fields; one that is undefined is removed. Times keep the kind that is stored; one that
 * replaces none has that of the others, or of its collection.
 */
function withFields(stored: DocumentData, fields: DocumentData, path: string): DocumentData {
  const { schema, storesTimestamps = false } = declared(path);
  const others = timesIn(stored, schema);
  const areTimestamps = others.length === 0 ? storesTimestamps : others.every(isTimestamp);
  const written = Object.entries(fields).map(([name, value]) => {
    if (!isNumber(value) || !isTimeField(schema, name)) return [name, value] as const;
    const replacesNone = timeOf(stored[name]) === undefined;
    return [
      name,
      storedTime(value, replacesNone ? areTimestamps : isTimestamp(stored[name])),
    ] as const;
  });
  const data = Object.entries({ ...stored, ...Object.fromEntries(written) });
  return Object.fromEntries(data.filter(([, value]) => value !== undefined));
}

/** The documents after direct writes. */
export function withWrites(documents: Documents, written: Writes): Documents {
  const all = Object.entries({ ...documents, ...written });
  return Object.fromEntries(
    all.filter((entry): entry is [string, DocumentData] => entry[1] !== null),
  );
}
