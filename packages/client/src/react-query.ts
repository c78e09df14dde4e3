/** Queries for TanStack Query 5, which this module imports only for its types. */
import type {
  DataTag,
  InfiniteData,
  QueryClient,
  QueryFunctionContext,
  QueryKey,
} from '@tanstack/react-query';
import type { MarketplaceError } from './error.ts';
import { applyFlashUpdates } from './flashOrder.ts';
import { OPERATIONS } from './operations.ts';
import { createCycleError } from './pages.ts';
import type { Operation } from './request.ts';
import type { CallOptions, Input, MarketplaceClient, Output } from './types.ts';

/** The options that all queries have. TanStack Query does not retry, because the client does. */
interface CommonOptions {
  /** The type has the error, so that TanStack Query infers it. */
  retry: boolean | ((failureCount: number, error: MarketplaceError) => boolean);
}

/** The options of an operation for `useQuery`, `useSuspenseQuery`, `prefetchQuery` and the like. */
export interface Query<Result> extends CommonOptions {
  queryKey: DataTag<QueryKey, Result, MarketplaceError>;
  queryFn: (context: QueryFunctionContext) => Promise<Result>;
}

/**
 * The options of a list for `useInfiniteQuery`, `useSuspenseInfiniteQuery`, `prefetchInfiniteQuery` and the like. A page may
 * repeat an item of an earlier one. If the list has changed so that its next page is unknown, loading fails with
 * `cursor-not-found`, and the list starts again from its first page.
 */
export interface InfiniteQuery<Page> extends CommonOptions {
  queryKey: DataTag<QueryKey, InfiniteData<Page, Cursor>, MarketplaceError>;
  queryFn: (context: QueryFunctionContext<QueryKey, Cursor>) => Promise<Page>;
  initialPageParam: Cursor;
  getNextPageParam: (lastPage: Page) => Cursor;
}

/** The position of a page: the `nextCursor` of the page before it. */
type Cursor = string | undefined;

/** A function that returns the query of an operation. */
type CreateQuery<Method> = Method extends (
  input: infer Input,
  options?: CallOptions,
) => Promise<infer Result>
  ? Input extends { cursor?: Cursor }
    ? (input: Omit<Input, 'cursor'>) => InfiniteQuery<Result>
    : (...input: Input extends undefined ? [] : [input: Input]) => Query<Result>
  : never;

type Operations = typeof OPERATIONS;

/** The names of the methods of a group that read. */
type ReadMethod<Group extends keyof Operations> = keyof {
  [
    Name in keyof Operations[Group] as Operations[Group][Name] extends { method: 'GET' }
      ? Name
      : never
  ]: unknown;
};

/** A function for each operation that reads, grouped as in the client. */
export type Queries = {
  readonly [Group in keyof Operations as ReadMethod<Group> extends never ? never : Group]: {
    readonly [Name in ReadMethod<Group> & keyof MarketplaceClient[Group]]: CreateQuery<
      MarketplaceClient[Group][Name]
    >;
  };
};

/** Options of `createQueries`. */
export interface QueriesOptions {
  /**
   * Returns the ID of the signed-in user: `() => auth.currentUser?.uid`. Operations that need a user require it. A query
   * without a user fails with `user-changed` if Firebase then restores the session.
   */
  getUid?: () => string | undefined;
}

/**
 * Creates the queries of a client: `useInfiniteQuery(queries.flash.listByArtist({ id }))`. Their keys are `[operation ID, input]`,
 * and `[operation ID, input, uid]` if the operation needs a user.
 */
export function createQueries(api: MarketplaceClient, options: QueriesOptions = {}): Queries {
  const queries: Record<string, Record<string, (input?: object) => unknown>> = {};
  // As in `createMarketplaceClient`, the types are generated.
  const groups = api as unknown as Record<string, Record<string, ReadFunction>>;
  for (const [group, methods] of Object.entries(groups)) {
    for (const [name, read] of Object.entries(methods)) {
      const operation = TABLE[group]?.[name];
      if (operation?.method !== 'GET') continue;
      const operationId = group + name.charAt(0).toUpperCase() + name.slice(1);
      (queries[group] ??= {})[name] = (input) =>
        createQuery(read, operationId, input, operation, options);
    }
  }
  return queries as unknown as Queries;
}

const TABLE: Readonly<Record<string, Readonly<Record<string, Operation>>>> = OPERATIONS;

/** A page of a list, or another result, which has no next page. */
type Page = { readonly nextCursor?: Cursor };
type ReadFunction = (input: object | undefined, options: CallOptions) => Promise<Page>;

function createQuery(
  read: ReadFunction,
  operationId: string,
  input: object | undefined,
  { access }: Operation,
  { getUid }: QueriesOptions,
): Omit<InfiniteQuery<Page>, 'queryKey'> & { queryKey: QueryKey } {
  if (access === 'signedIn' && getUid === undefined)
    throw new TypeError(`createQueries needs the option getUid for ${operationId}.`);
  const uid = access === 'signedIn' ? getUid?.() : undefined;
  const queryKey = [operationId, input ?? {}, ...(access === 'signedIn' ? [uid ?? null] : [])];

  async function queryFn({ client, pageParam: cursor, signal }: PageContext): Promise<Page> {
    // The result belongs to the user of its key, even if another user has signed in meanwhile.
    const readPage = (input: object | undefined) => read(input, { signal, caller: { sub: uid } });
    if (cursor === undefined) return readPage(input);
    try {
      const state = client.getQueryState<InfiniteData<Page, Cursor>>(queryKey);
      const loadsMore = state?.fetchMeta?.fetchMore?.direction === 'forward';
      if (loadsMore && state.data?.pageParams.includes(cursor)) throw createCycleError();
      return await readPage({ ...input, cursor });
    } catch (error) {
      const { code } = error as Partial<MarketplaceError>;
      if (code === 'cursor-not-found' && !signal.aborted) {
        const firstPage = await readPage(input);
        client.setQueryData(queryKey, { pages: [firstPage], pageParams: [undefined] });
      }
      throw error;
    }
  }

  return {
    queryKey,
    queryFn,
    initialPageParam: undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    retry: false,
  };
}

type PageContext = QueryFunctionContext<QueryKey, Cursor>;

/** The items of a page: its field that is an array. */
export type Items<Page> = Extract<Page[keyof Page], readonly { readonly id: string }[]>;

/** Returns the items of the pages that were read, each once: pages of different age may repeat an item. */
export function getItems<Page extends object>(data: {
  readonly pages: readonly Page[];
}): Items<Page> {
  const items = data.pages.flatMap((page) => Object.values(page).find(Array.isArray) as Item[]);
  return [...new Map(items.map((item) => [item.id, item])).values()] as unknown as Items<Page>;
}

/**
 * Changes the items of a list in the cache, and its `total`, after a change has succeeded. Cancels reads of the list: their
 * results may be older than the change.
 */
export async function updateItems<Page extends object>(
  client: QueryClient,
  { queryKey }: Pick<InfiniteQuery<Page>, 'queryKey'>,
  update: (items: Items<Page>) => Items<Page>,
): Promise<void> {
  await client.cancelQueries({ queryKey, exact: true });
  const data = client.getQueryData<InfiniteData<Page, Cursor>>(queryKey);
  if (data === undefined) {
    // The list was in its first read, which is now canceled: it starts again.
    void client.invalidateQueries({ queryKey, exact: true });
    return;
  }
  const items = getItems(data);
  const updatedItems = update(items);
  const removedCount = items.length - updatedItems.length;
  const pages = data.pages.map((page, index) =>
    replaceItems(page, index === 0 ? updatedItems : [], removedCount),
  );
  client.setQueryData<InfiniteData<Page, Cursor>>(queryKey, { ...data, pages });
}

/** The most updates that one call of `flash.reorder` takes. */
const MAX_FLASH_UPDATES = 500;

/**
 * Stores the result of `computeFlashUpdates` with as many calls of `flash.reorder` as it needs. Updates the list in the cache
 * after each of them: it shows what is stored, also if a later call fails.
 */
export async function reorderFlash(
  client: QueryClient,
  query: Pick<InfiniteQuery<Output<'flashListByArtist'>>, 'queryKey'>,
  api: Pick<MarketplaceClient, 'flash'>,
  updates: Input<'flashReorder'>['flashUpdates'],
): Promise<void> {
  for (let start = 0; start < updates.length; start += MAX_FLASH_UPDATES) {
    const flashUpdates = updates.slice(start, start + MAX_FLASH_UPDATES);
    await api.flash.reorder({ flashUpdates });
    await updateItems(client, query, (items) => applyFlashUpdates(items, flashUpdates));
  }
}

interface Item {
  readonly id: string;
}

function replaceItems<Page extends object>(
  page: Page,
  items: readonly Item[],
  removedCount: number,
): Page {
  const fields = Object.entries(page).map(([name, value]: [string, unknown]) => {
    if (Array.isArray(value)) return [name, items];
    return [name, name === 'total' ? Number(value) - removedCount : value];
  });
  return Object.fromEntries(fields) as Page;
}
