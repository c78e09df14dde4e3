/** Models of lists and their pages. */
import { compareKeys, jsonToValue, sortKeyOf } from '@tattoo-marketplace/firestore-embedded';
import { ownerOfList, pageQuery } from './generators.ts';
import { ensure, ensureValid, ok } from './model.ts';
import type { EndpointModel, ModelRequest, State } from './model.ts';
import { collectionOf, isId, isWithin, serialize, type DocumentData } from './values.ts';

export interface List {
  readonly collection: string;
  /** Returns whether a document belongs to the owner of the list. Each such document can be a cursor. */
  readonly isOwned?: (data: DocumentData) => boolean;
  /** Returns whether such a document is an item of the list. */
  readonly where?: (data: DocumentData) => boolean;
  /** The field that orders the list; equal ones by id. A document without it is not in the list. */
  readonly orderBy?: string;
  readonly descending?: boolean;
  /** Declared fields that items do not have. */
  readonly omit?: readonly string[];
}

/** The largest limit of a page, and the one if none is sent. */
export type Limits = readonly [max: number, fallback: number];

/** A list that is read in pages. */
export interface PagedList extends List {
  readonly limits: Limits;
  /** The field of the response that has the items. */
  readonly itemsField: string;
}

/** All items of a list. */
export function itemsOf(list: List, state: State): DocumentData[] {
  return pathsOf(list, state).map((path) => itemOf(list, path, state));
}

/** An item: the declared fields of its document, and its id. */
function itemOf({ omit = [], collection }: List, path: string, state: State): DocumentData {
  const fields = Object.entries(serialize(state[path], collectionOf(path).schema) as DocumentData);
  const id = path.slice(collection.length + 1);
  return { ...Object.fromEntries(fields.filter(([name]) => !omit.includes(name))), id };
}

/** The paths of the documents of a list, in its order. */
function pathsOf(list: List, state: State): string[] {
  const { collection, isOwned = Boolean, where = Boolean, orderBy, descending } = list;
  const paths = Object.entries(state)
    .filter(([path]) => path.slice(0, path.lastIndexOf('/')) === collection)
    .filter(([, data]) => orderBy === undefined || data[orderBy] !== undefined)
    .filter(([, data]) => isOwned(data) && where(data))
    .map(([path, data]) => [
      orderBy === undefined ? 0 : sortKeyOf(jsonToValue(data[orderBy])),
      path,
    ])
    .sort(compareKeys)
    .map(([, path]) => String(path));
  return descending ? paths.reverse() : paths;
}

/** The limit and the cursor of a request. */
export function pageOf({ query = {} }: ModelRequest, [max, fallback]: Limits) {
  const { limit = String(fallback), cursor } = query;
  ensureValid(/^\d+$/.test(String(limit)) && isWithin(Number(limit), 1, max));
  ensureValid(cursor === undefined || isId(cursor));
  return { limit: Number(limit), cursor };
}

/** The body of the response: the items after the cursor's, which may have been hidden since. */
export function readPage(list: PagedList, request: ModelRequest) {
  const { limit, cursor } = pageOf(request, list.limits);
  const ofOwner = pathsOf({ ...list, where: Boolean }, request.state);
  const start = ofOwner.indexOf(`${list.collection}/${cursor}`);
  ensure(cursor === undefined || start >= 0, 'cursor-not-found');
  const paths = new Set(pathsOf(list, request.state));
  const following = ofOwner.slice(start + 1).filter((path) => paths.has(path));
  const items = following.slice(0, limit).map((path) => itemOf(list, path, request.state));
  const hasMore = following.length > limit;
  return { [list.itemsField]: items, hasMore, nextCursor: hasMore ? items.at(-1)?.id : undefined };
}

interface ListOfOwner extends PagedList, Pick<EndpointModel, 'isPublic' | 'documents'> {
  /** The field with the owner, and where a request names the owner. */
  readonly ownerField: string;
  readonly parameter: readonly ['params' | 'query', string];
}

/** The model of a list that is read in pages, and says how many items there are in all: what an owner has in a collection. */
export function listOfOwner(options: ListOfOwner): EndpointModel {
  const { isPublic, documents, ownerField, parameter, ...list } = options;
  const [part, name] = parameter;
  const query = pageQuery(documents, list.limits);
  return {
    isPublic,
    apply(request) {
      pageOf(request, list.limits);
      const owner = request[part]?.[name];
      ensureValid(isId(owner));
      const ofOwner = { ...list, isOwned: (data: DocumentData) => data[ownerField] === owner };
      const total = pathsOf(ofOwner, request.state).length;
      return ok({ ...readPage(ofOwner, request), total }, request.state);
    },
    documents,
    request: { query, [part]: { ...(part === 'query' && query), [name]: ownerOfList } },
  };
}
