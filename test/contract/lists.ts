/** Models of lists and their pages. Lists have Firestore's order of values, which firestore-embedded tests on Google's emulator. */
import { compareKeys, createSortKey, jsonToValue } from '@tattoo-marketplace/firestore-embedded';
import { generatePageQuery, listOwner } from './generators.ts';
import { ensure, ensureValid, respond } from './endpointModel.ts';
import type { EndpointModel, ModelRequest, State } from './endpointModel.ts';
import { findCollection, isId, isWithin, serialize, type DocumentData } from './values.ts';

/** The model of a list of documents. */
export interface ListModel {
  readonly collection: string;
  /** Returns whether a document belongs to the owner of the list. Each such document can be a cursor. */
  readonly isOwned?: (data: DocumentData) => boolean;
  /** Returns whether such a document is an item of the list. */
  readonly where?: (data: DocumentData) => boolean;
  /** The field that orders the list; equal values are ordered by id. A document without the field is not in the list. */
  readonly orderBy?: string;
  readonly descending?: boolean;
  /** Declared fields that items omit. */
  readonly omit?: readonly string[];
}

interface Limits {
  readonly maxLimit: number;
  readonly defaultLimit: number;
}

/** The model of a list that is read in pages. */
export interface PagedListModel extends ListModel, Limits {
  /** The field of the response that has the items. */
  readonly itemsField: string;
}

/** Lists all items. */
export function listItems(list: ListModel, state: State): DocumentData[] {
  return listPaths(list, state).map((path) => serializeItem(list, path, state));
}

/** Serializes an item: the declared fields of its document, and its id. */
function serializeItem(
  { omit = [], collection }: ListModel,
  path: string,
  state: State,
): DocumentData {
  const fields = serialize(state[path], findCollection(path).schema) as DocumentData;
  const included = Object.entries(fields).filter(([name]) => !omit.includes(name));
  return { ...Object.fromEntries(included), id: path.slice(collection.length + 1) };
}

/** Lists the paths of the documents of a list, in its order. */
function listPaths(list: ListModel, state: State): string[] {
  const { collection, isOwned = Boolean, where = Boolean, orderBy, descending } = list;
  const paths = Object.entries(state)
    .filter(([path]) => path.slice(0, path.lastIndexOf('/')) === collection)
    .filter(([, data]) => orderBy === undefined || data[orderBy] !== undefined)
    .filter(([, data]) => isOwned(data) && where(data))
    .map(([path, { [orderBy ?? '']: value = null }]) => [createSortKey(jsonToValue(value)), path])
    .sort(compareKeys)
    .map(([, path]) => String(path));
  return descending ? paths.reverse() : paths;
}

/** Parses the limit and the cursor of a request. */
export function parsePageQuery({ query = {} }: ModelRequest, { maxLimit, defaultLimit }: Limits) {
  const { limit = String(defaultLimit), cursor } = query;
  ensureValid(/^\d+$/.test(String(limit)) && isWithin(Number(limit), 1, maxLimit));
  ensureValid(cursor === undefined || isId(cursor));
  return { limit: Number(limit), cursor };
}

/** Builds the response body with the items after the cursor, whose own item may have been hidden since. */
export function buildPage(list: PagedListModel, request: ModelRequest) {
  const { limit, cursor } = parsePageQuery(request, list);
  const positions = listPaths({ ...list, where: Boolean }, request.state);
  const start = positions.indexOf(`${list.collection}/${cursor}`);
  ensure(cursor === undefined || start >= 0, 'cursor-not-found');
  const paths = listPaths(list, request.state);
  const following = positions.slice(start + 1).filter((path) => paths.includes(path));
  const items = following.slice(0, limit).map((path) => serializeItem(list, path, request.state));
  const hasMore = following.length > limit;
  return { [list.itemsField]: items, hasMore, nextCursor: hasMore ? items.at(-1)?.id : undefined };
}

interface OwnedListModel extends PagedListModel, Pick<EndpointModel, 'isPublic' | 'documents'> {
  /** The field with the owner, and the parameter of requests that names the owner. */
  readonly ownerField: string;
  readonly ownerParameter: { readonly in: 'params' | 'query'; readonly name: string };
}

/** Creates the model of a paged list of the documents of an owner, with their total. */
export function createOwnedListModel(options: OwnedListModel): EndpointModel {
  const { isPublic, documents, ownerField, ownerParameter, ...list } = options;
  const { in: location, name } = ownerParameter;
  const query = generatePageQuery(documents, list.maxLimit);
  return {
    isPublic,
    apply(request) {
      parsePageQuery(request, list);
      const owner = request[location]?.[name];
      ensureValid(isId(owner));
      const ownedList = { ...list, isOwned: (data: DocumentData) => data[ownerField] === owner };
      const total = listPaths(ownedList, request.state).length;
      return respond({ ...buildPage(ownedList, request), total }, request.state);
    },
    documents,
    request: { query, [location]: { ...(location === 'query' && query), [name]: listOwner } },
  };
}
