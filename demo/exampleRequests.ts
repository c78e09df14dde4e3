import { type Collection, collectionIdOf } from '@tattoo-marketplace/collections';
import { EXAMPLE_CALLER } from './documents.ts';
import { COLLECTIONS } from '../functions/service.ts';
import { getEndpoint } from '../functions/service.ts';
import { getExample } from '@tattoo-marketplace/endpoints';
import { exampleDocument } from './exampleDocuments.ts';
import type { DocumentData, LocalFirestore } from '@tattoo-marketplace/firestore-embedded';

/** A request as it is sent. */
export interface ExampleRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The caller of the example requests, and the prefix of the ids of the documents that they name. */
export interface ExampleFixture {
  readonly uid: string;
  readonly prefix: string;
  /** The number of documents in a list of ids. */
  readonly size?: number;
}

function idsOf({ prefix, size = 3 }: ExampleFixture): string[] {
  return Array.from({ length: size }, (_, index) => `${prefix}-${index}`);
}

/** Stores the documents that the example requests of a fixture need: copies of the examples, which the caller owns. */
export async function storeFixture(store: LocalFirestore, fixture: ExampleFixture): Promise<void> {
  await store.setAll(COLLECTIONS.flatMap((collection) => copiesOf(collection, fixture)));
}

/** A copy for each id, in this order in each list; of the users the caller alone. */
function copiesOf(
  collection: Collection,
  fixture: ExampleFixture,
): (readonly [string, DocumentData])[] {
  const { path, owner, lists } = collection;
  const [examplePath, example] = exampleDocument(collectionIdOf(collection));
  const data = JSON.parse(jsonFor(fixture, example)) as DocumentData;
  if (examplePath === `${path}/${EXAMPLE_CALLER}`) return [[`${path}/${fixture.uid}`, data]];
  const ids = idsOf(fixture);
  const folder = path.replace(/\{\w+\}/g, ids[0] ?? '');
  const orders = lists.flatMap(({ orderBy = '' }) => {
    const first = data[orderBy];
    return typeof first === 'number' ? [[orderBy, first] as const] : [];
  });
  return ids.map((id, index) => {
    const places = Object.fromEntries(orders.map(([field, first]) => [field, first + index]));
    return [`${folder}/${id}`, { ...data, ...(owner && { [owner]: fixture.uid }), ...places }];
  });
}

/** The JSON of something in the demo, with the caller of a fixture in place of the demo's. */
function jsonFor({ uid }: ExampleFixture, value: object): string {
  return JSON.stringify(value).replaceAll(EXAMPLE_CALLER, uid);
}

type Fields = Readonly<Record<string, unknown>>;

/** The parts of a request, before they become a URL and JSON. */
export interface RequestParts {
  readonly params?: Fields | undefined;
  readonly query?: Fields | undefined;
  /** A text is sent as it is. */
  readonly body?: Fields | string | undefined;
}

/** The request with these parts to a function. */
export function requestOf(functionId: string, parts: RequestParts, token?: string): ExampleRequest {
  const { method, path } = getEndpoint(functionId).endpoint.declaration;
  const { params = {}, query = {}, body } = parts;
  const search = new URLSearchParams();
  for (const [name, values] of Object.entries(query)) {
    // An undefined parameter is not sent.
    for (const value of [values ?? []].flat()) search.append(name, textOf(value));
  }
  const target = path.replace(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(textOf(params[name]).toWellFormed()),
  );
  return {
    method,
    path: `${target}${search.size === 0 ? '' : `?${search.toString()}`}`,
    headers: {
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: textOf(body) }),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '');
}

/**
 * The parts of a function's example request in a fixture. The caller is the fixture's, a document the first one, and a list
 * has all of them. The page size is the default.
 */
export function exampleParts(functionId: string, fixture: ExampleFixture) {
  const { params, query, body } = getExample(getEndpoint(functionId));
  const ids = idsOf(fixture);
  return JSON.parse(jsonFor(fixture, { params, query, body }), (name, value: unknown) => {
    if (name === 'limit') return undefined;
    if (name.endsWith('Ids')) return ids;
    if (Array.isArray(value) && isNamed(value[0])) {
      return ids.map((id) => ({ ...value[0], id }) as object);
    }
    return /^id$|Id$/.test(name) && value !== fixture.uid ? ids[0] : value;
  }) as { readonly [Part in keyof RequestParts]?: Fields };
}

function isNamed(element: unknown): element is { readonly id: unknown } {
  return typeof element === 'object' && element !== null && 'id' in element;
}

/** The example request of a function in a fixture; `query` is added to the query of a list. */
export function exampleRequest(
  functionId: string,
  fixture: ExampleFixture,
  token: string,
  query: Readonly<Record<string, string>> = {},
): ExampleRequest {
  const parts = exampleParts(functionId, fixture);
  return requestOf(functionId, { ...parts, query: { ...parts.query, ...query } }, token);
}
