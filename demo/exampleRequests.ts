import { type Collection, collectionIdOf } from '@tattoo-marketplace/collections';
import { EXAMPLE_CALLER } from './documents.ts';
import { COLLECTIONS } from '../functions/service.ts';
import { getDeployedEndpoint } from '../functions/service.ts';
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
export interface ExampleWorld {
  readonly uid: string;
  readonly prefix: string;
  /** The number of documents in a list of ids. */
  readonly size?: number;
}

function idsOf({ prefix, size = 3 }: ExampleWorld): string[] {
  return Array.from({ length: size }, (_, index) => `${prefix}-${index}`);
}

/** Stores the documents that the example requests of a world need: copies of the examples, which the caller owns. */
export async function storeExampleWorld(store: LocalFirestore, world: ExampleWorld): Promise<void> {
  await store.setAll(COLLECTIONS.flatMap((collection) => copiesOf(collection, world)));
}

/** A copy for each id, in this order in each list; of the users the caller alone. */
function copiesOf(
  collection: Collection,
  world: ExampleWorld,
): (readonly [string, DocumentData])[] {
  const { path, owner, lists } = collection;
  const [examplePath, example] = exampleDocument(collectionIdOf(collection));
  const data = JSON.parse(jsonFor(world, example)) as DocumentData;
  if (examplePath === `${path}/${EXAMPLE_CALLER}`) return [[`${path}/${world.uid}`, data]];
  const ids = idsOf(world);
  const folder = path.replace(/\{\w+\}/g, ids[0] ?? '');
  const orders = lists.flatMap(({ orderBy = '' }) => {
    const first = data[orderBy];
    return typeof first === 'number' ? [[orderBy, first] as const] : [];
  });
  return ids.map((id, index) => {
    const places = Object.fromEntries(orders.map(([field, first]) => [field, first + index]));
    return [`${folder}/${id}`, { ...data, ...(owner && { [owner]: world.uid }), ...places }];
  });
}

/** The JSON of something in the demo, with the caller of a world in place of the demo's. */
function jsonFor({ uid }: ExampleWorld, value: object): string {
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
  const { method, path } = getDeployedEndpoint(functionId).endpoint.declaration;
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
 * The parts of a function's example request in a world. The caller is the world's, a document the first one, and a list
 * has all of them. The page size is the default.
 */
export function exampleParts(functionId: string, world: ExampleWorld) {
  const { params, query, body } = getExample(getDeployedEndpoint(functionId));
  const ids = idsOf(world);
  return JSON.parse(jsonFor(world, { params, query, body }), (name, value: unknown) => {
    if (name === 'limit') return undefined;
    if (name.endsWith('Ids')) return ids;
    if (Array.isArray(value) && isNamed(value[0])) {
      return ids.map((id) => ({ ...value[0], id }) as object);
    }
    return /^id$|Id$/.test(name) && value !== world.uid ? ids[0] : value;
  }) as { readonly [Part in keyof RequestParts]?: Fields };
}

function isNamed(element: unknown): element is { readonly id: unknown } {
  return typeof element === 'object' && element !== null && 'id' in element;
}

/** The example request of a function in a world; `query` is added to the query of a list. */
export function exampleRequest(
  functionId: string,
  world: ExampleWorld,
  token: string,
  query: Readonly<Record<string, string>> = {},
): ExampleRequest {
  const parts = exampleParts(functionId, world);
  return requestOf(functionId, { ...parts, query: { ...parts.query, ...query } }, token);
}
