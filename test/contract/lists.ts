/**
 * Models of lists and their pages. Lists have Firestore's order of values, which firestore-embedded tests on Google's emulator.
 *
 * Helpers for the model of an endpoint, by what the endpoint does:
 *
 *   lists documents of an owner, in pages         createOwnedListModel
 *     a parameter names the owner                   ownerParameter: { in: 'params', name: 'artistId' }
 *     the owner is the caller                       no ownerParameter
 *     the request may filter                        optionalFilters: { status: ['requested', 'accepted'] }
 *     the request may choose a range                isBound: isDay
 *     the response has no total                     hasTotal: false
 *   lists other documents, in pages               createPagedListModel: getMessages in endpoints/conversations.ts
 *   lists all documents                           listItems: endpoints/artists.ts
 *
 * Helpers of endpointModel.ts:
 *
 *   needs a role in another document              findForRole: getMessages
 *   creates a document of the caller              create: examples/reviews
 *   changes or deletes documents of the caller    changeOwned: endpoints/flash.ts
 *   changes what depends on stored values         ensureOwned, then update: endpoints/bookings.ts
 *   changes several collections                   create, then update: examples/bookingRequests
 */
import { compareKeys, createSortKey, jsonToValue } from '@tattoo-marketplace/firestore-embedded';
import { generatePageQuery, listOwner } from './generators.ts';
import { ensure, ensureValid, respond } from './endpointModel.ts';
import type { Documents, EndpointModel, ModelRequest, State } from './endpointModel.ts';
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
interface PagedListModel extends ListModel, Limits {
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
function parsePageQuery({ query = {} }: ModelRequest, { maxLimit, defaultLimit }: Limits) {
  const { limit = String(defaultLimit), cursor } = query;
  ensureValid(/^\d+$/.test(String(limit)) && isWithin(Number(limit), 1, maxLimit));
  ensureValid(cursor === undefined || isId(cursor));
  return { limit: Number(limit), cursor };
}

/** Builds the response body with the items after the cursor, whose own item may have been hidden since. */
function buildPage(list: PagedListModel, request: ModelRequest) {
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

/** Options of the model of an endpoint that lists documents in pages. */
interface PagedListOptions
  extends
    Omit<PagedListModel, 'collection'>,
    Pick<EndpointModel, 'isPublic' | 'documents' | 'extraReads'> {
  /** Documents on which the list depends. `documents` has its own. */
  readonly parents?: Documents;
  readonly request?: EndpointModel['request'];
  /** False if the response does not have the `total`. */
  readonly hasTotal?: false;
}

/** Creates the model of an endpoint that lists documents in pages. `findList` finds the list of a request. */
export function createPagedListModel(
  {
    isPublic,
    documents,
    extraReads,
    parents,
    request: fields,
    hasTotal,
    ...options
  }: PagedListOptions,
  findList: (request: ModelRequest) => ListModel,
): EndpointModel {
  const query = generatePageQuery(documents, options.maxLimit);
  return {
    isPublic,
    apply(request) {
      parsePageQuery(request, options);
      const list = { ...options, ...findList(request) };
      const page = buildPage(list, request);
      const total = listPaths(list, request.state).length;
      return respond(hasTotal === false ? page : { ...page, total }, request.state);
    },
    documents: { ...parents, ...documents },
    request: { ...fields, query: { ...query, ...fields?.query } },
    extraReads,
  };
}

interface OwnedListOptions extends PagedListOptions, Pick<ListModel, 'collection'> {
  /** The field with the owner. */
  readonly ownerField: string;
  /** The parameter of requests that names the owner. By default, the owner is the caller. */
  readonly ownerParameter?: { readonly in: 'params' | 'query'; readonly name: string };
  /** Fields by which requests may filter, and the values that they may send. */
  readonly optionalFilters?: Readonly<Record<string, readonly string[]>>;
  /** Returns whether a value may be the `from` (inclusive) or the `to` (exclusive) of requests, which limit `orderBy`. */
  readonly isBound?: (value: unknown) => boolean;
}

/** Creates the model of an endpoint that lists the documents of an owner in pages. */
export function createOwnedListModel(options: OwnedListOptions): EndpointModel {
  const {
    collection,
    ownerField,
    ownerParameter,
    optionalFilters = {},
    isBound,
    ...list
  } = options;
  const { where = Boolean, orderBy = '' } = list;
  const generators = ownerParameter && {
    [ownerParameter.in]: { [ownerParameter.name]: listOwner },
  };
  return createPagedListModel(
    { ...list, request: { ...generators, ...list.request } },
    (request) => {
      const { query = {}, callerId } = request;
      const owner = ownerParameter ? request[ownerParameter.in]?.[ownerParameter.name] : callerId;
      ensureValid(isId(owner));
      const filters = Object.entries(optionalFilters).filter(([name]) => query[name] !== undefined);
      ensureValid(filters.every(([name, values]) => values.some((value) => value === query[name])));
      const isInRange = parseRange(request, isBound);
      return {
        collection,
        isOwned: (data) => data[ownerField] === owner && isInRange(data[orderBy]),
        where: (data) => where(data) && filters.every(([name]) => data[name] === query[name]),
      };
    },
  );
}

/** Parses the range of a request, of texts. Returns a function that tells whether a value is in the range. */
function parseRange(
  { query: { from, to } = {} }: ModelRequest,
  isBound?: (value: unknown) => boolean,
) {
  const bounds = [from, to].filter((bound) => bound !== undefined);
  ensureValid(bounds.every((bound) => isBound?.(bound) === true));
  return (value: unknown) =>
    bounds.length === 0 ||
    (typeof value === 'string' && value >= (from ?? '') && (to === undefined || value < to));
}
