/** The queries of the client, with the TanStack Query that apps use. */
import { readFile } from 'node:fs/promises';
import { InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/react-query';
import {
  applyFlashUpdates,
  computeFlashUpdates,
  MarketplaceError,
  type CallOptions,
  type MarketplaceClient,
} from '@tattoo-marketplace/client';
import {
  createQueries,
  getItems,
  reorderFlash,
  updateItems,
} from '@tattoo-marketplace/client/react-query';

const IDS = ['a', 'b', 'c', 'd', 'e'];

const cursorNotFound = new MarketplaceError('Gone.', { status: 400, code: 'cursor-not-found' });
const unavailable = new MarketplaceError('Busy.', { status: 503, code: 'unavailable' });

type PageInput = { id?: string; cursor?: string | undefined };

/**
 * Creates the queries of an API that lists these flash listings and photos in pages of two. The cursor of a page is the id of its
 * last item, and `cursor-not-found` follows if that is no longer there. The first reads fail with these errors.
 */
function createLists(...errors: (Error | undefined)[]) {
  const stored = IDS.map((id, order) => ({ id, order }));
  const createRead = (field: string) =>
    jest.fn(({ cursor }: PageInput, options: CallOptions) => {
      const error = errors.shift();
      if (error) return Promise.reject(error);
      const start = cursor === undefined ? 0 : stored.findIndex(({ id }) => id === cursor) + 1;
      if (cursor !== undefined && start === 0) return Promise.reject(cursorNotFound);
      const items = stored.slice(start, start + 2);
      const hasMore = start + 2 < stored.length;
      const nextCursor = hasMore ? items.at(-1)?.id : undefined;
      options.signal?.throwIfAborted();
      return Promise.resolve({ [field]: items, total: stored.length, hasMore, nextCursor });
    });
  const methods = {
    flash: { listByArtist: createRead('flash'), reorder: jest.fn() },
    gallery: { listByArtist: createRead('photos') },
    conversations: { getMessages: createRead('messages') },
    artists: { list: jest.fn(() => Promise.resolve([{ id: 'x' }])) },
  };
  let uid: string | undefined = 'alice';
  const queries = createQueries(methods as unknown as MarketplaceClient, { getUid: () => uid });
  return {
    ...methods,
    queries,
    stored,
    signIn: (user: string | undefined) => (uid = user),
    client: new QueryClient(),
  };
}

type Lists = ReturnType<typeof createLists>;

/** Observes the flash of the artist `x`, as a mounted component does. */
function observeFlash({ client, queries }: Lists) {
  const query = queries.flash.listByArtist({ id: 'x' });
  const observer = new InfiniteQueryObserver(client, query);
  unsubscribe.push(observer.subscribe(() => undefined));
  const getIds = () => {
    const { data } = observer.getCurrentResult();
    return data && getItems(data).map(({ id }) => id);
  };
  const getTotal = () => observer.getCurrentResult().data?.pages.at(-1)?.total;
  return { query, observer, getIds, getTotal, loadMore: () => observer.fetchNextPage() };
}

const unsubscribe: (() => void)[] = [];

afterEach(() => {
  for (const stop of unsubscribe.splice(0)) stop();
});

/** Observes the flash of an artist whose first page is there. */
async function openFlash(lists: Lists) {
  const list = observeFlash(lists);
  await list.observer.refetch();
  return list;
}

describe('a query', () => {
  test('has the operation and its input as its key, and the user if the operation needs one', () => {
    const { queries } = createLists();

    expect(queries.artists.list().queryKey).toEqual(['artistsList', {}]);
    expect(queries.flash.listByArtist({ id: 'x', limit: 24 }).queryKey).toEqual([
      'flashListByArtist',
      { id: 'x', limit: 24 },
    ]);
    expect(queries.conversations.getMessages({ conversationId: 'c' }).queryKey).toEqual([
      'conversationsGetMessages',
      { conversationId: 'c' },
      'alice',
    ]);
  });

  test('exists for each operation that reads, and for no other', () => {
    const { queries } = createLists();

    expect(Object.keys(queries.flash)).toEqual(['listByArtist']);
    expect(queries).not.toHaveProperty('notifications');
  });

  test('of one method does not show the data of another with the same input', async () => {
    const { client, queries } = createLists();
    const [flash, photos] = await Promise.all([
      client.infiniteQuery(queries.flash.listByArtist({ id: 'x' })),
      client.infiniteQuery(queries.gallery.listByArtist({ artistId: 'x' })),
    ]);

    expect(Object.keys(flash.pages[0] ?? {})).toContain('flash');
    expect(Object.keys(photos.pages[0] ?? {})).toContain('photos');
  });

  test('passes the signal on, which aborts when no component uses the query any more', async () => {
    const { client, queries, artists } = createLists();
    let signal: AbortSignal | undefined;
    artists.list.mockImplementation(((_input: undefined, options: CallOptions) => {
      signal = options.signal;
      return new Promise(() => undefined);
    }) as never);
    const stop = new QueryObserver(client, queries.artists.list()).subscribe(() => undefined);
    while (signal === undefined) await new Promise(setImmediate);
    stop();

    expect(signal.aborted).toBe(true);
  });

  test('is not retried, because the client retries', async () => {
    const { client, queries, flash } = createLists(unavailable);

    await expect(client.infiniteQuery({ ...queries.flash.listByArtist({ id: 'x' }) })).rejects.toBe(
      unavailable,
    );
    expect(flash.listByArtist).toHaveBeenCalledTimes(1);
  });
});

describe('the query of an operation that needs a user', () => {
  const input = { conversationId: 'c' };

  test('does not show the data of another user, and reads all pages for its own', async () => {
    const { client, queries, conversations, signIn } = createLists();
    const query = queries.conversations.getMessages(input);
    await client.infiniteQuery(query);
    signIn('bob');

    expect(client.getQueryData(queries.conversations.getMessages(input).queryKey)).toBeUndefined();
    // Pages of the former query would fail with `user-changed`.
    await client.infiniteQuery({ ...query, pages: 2 });
    const callers = conversations.getMessages.mock.calls.map(([, { caller }]) => caller?.sub);
    expect(callers).toEqual(['alice', 'alice', 'alice']);
  });

  test('has a key of its own without a user', () => {
    const { queries, signIn } = createLists();
    signIn(undefined);

    expect(queries.conversations.getMessages(input).queryKey.at(-1)).toBeNull();
  });

  test('requires getUid', () => {
    const queries = createQueries({
      conversations: { getMessages: jest.fn() },
    } as unknown as MarketplaceClient);

    expect(() => queries.conversations.getMessages(input)).toThrow(
      'createQueries needs the option getUid for conversationsGetMessages.',
    );
  });
});

describe('a list', () => {
  test('shows all pages to each component, also to those that did not ask for more', async () => {
    const lists = createLists();
    const first = await openFlash(lists);
    const second = observeFlash(lists);
    while (second.observer.getCurrentResult().hasNextPage) await second.loadMore();

    expect([first.getIds(), second.getIds()]).toEqual([IDS, IDS]);
    expect(lists.flash.listByArtist.mock.calls.map(([{ cursor }]) => cursor).slice(-2)).toEqual([
      'b',
      'd',
    ]);
  });

  test('reads the page again whose read has failed', async () => {
    const { getIds, loadMore } = await openFlash(createLists(undefined, unavailable));

    expect((await loadMore()).error).toBe(unavailable);
    expect(getIds()).toEqual(['a', 'b']);
    await loadMore();
    expect(getIds()).toEqual(['a', 'b', 'c', 'd']);
  });

  test('starts again from its first page after cursor-not-found, without its former items', async () => {
    const lists = createLists();
    const { getIds, loadMore } = await openFlash(lists);
    await loadMore();
    // Another device removes the last item of the second page, and the first one.
    lists.stored.splice(3, 1);
    lists.stored.splice(0, 1);

    expect((await loadMore()).error).toBe(cursorNotFound);
    expect(getIds()).toEqual(['b', 'c']);
    await loadMore();
    expect(getIds()).toEqual(['b', 'c', 'e']);
  });

  test('keeps its items if its first page cannot be read after cursor-not-found', async () => {
    const { getIds, loadMore } = await openFlash(
      createLists(undefined, cursorNotFound, unavailable),
    );

    expect((await loadMore()).error).toBe(unavailable);
    expect(getIds()).toEqual(['a', 'b']);
  });

  test('is not marked as outdated by a second read of the same page that fails late', async () => {
    const lists = createLists();
    const { getIds, loadMore, observer } = await openFlash(lists);
    let failLate: (error: Error) => void = () => undefined;
    lists.flash.listByArtist.mockImplementationOnce(
      () => new Promise((_resolve, reject) => (failLate = reject)),
    );
    const results = [loadMore(), loadMore()];
    failLate(cursorNotFound);
    await Promise.all(results);

    expect(observer.getCurrentResult().error).toBeNull();
    expect(getIds()).toEqual(['a', 'b', 'c', 'd']);
  });

  test('starts again if a page refers to one that was read before', async () => {
    const lists = createLists();
    const { getIds, loadMore } = await openFlash(lists);
    await loadMore();
    lists.flash.listByArtist.mockResolvedValueOnce({
      flash: [{ id: 'e' }],
      total: 5,
      hasMore: true,
      nextCursor: 'b',
    } as never);
    await loadMore();

    expect((await loadMore()).error).toMatchObject({ code: 'cursor-not-found' });
    expect(getIds()).toEqual(['a', 'b']);
  });

  test('has an item once that two pages have', async () => {
    const lists = createLists();
    const { getIds, loadMore } = await openFlash(lists);
    // Another device moves the first item onto the second page.
    lists.stored.splice(2, 0, ...lists.stored.splice(0, 1));
    await loadMore();

    expect(getIds()).toEqual(['a', 'b', 'c']);
  });
});

describe('updateItems', () => {
  const remove = ({ client }: Lists, query: Parameters<typeof updateItems>[1], ...ids: string[]) =>
    updateItems(
      client,
      query,
      (items) => (items as { id: string }[]).filter(({ id }) => !ids.includes(id)) as never,
    );

  test('adjusts the total if an item is removed while more are read', async () => {
    const lists = createLists();
    const { query, getIds, getTotal, loadMore } = await openFlash(lists);
    const more = loadMore();
    lists.stored.splice(0, 1);
    await remove(lists, query, 'a');
    await more;

    expect(getIds()).toEqual(['b']);
    expect(getTotal()).toBe(4);
    await loadMore();
    expect(getIds()).toEqual(['b', 'c', 'd']);
    expect(getTotal()).toBe(4);
  });

  test('lets the list go on after its last shown item was removed', async () => {
    const lists = createLists();
    const { query, getIds, loadMore } = await openFlash(lists);
    lists.stored.splice(1, 1);
    await remove(lists, query, 'b');
    await loadMore();
    await loadMore();

    expect(getIds()).toEqual(['a', 'c', 'd', 'e']);
  });

  test('starts the first read again, because its result may be older than the change', async () => {
    const lists = createLists();
    const { query, getIds } = observeFlash(lists);
    lists.stored.splice(0, 1);
    await remove(lists, query, 'a');
    while (getIds() === undefined) await new Promise(setImmediate);

    expect(getIds()).toEqual(['b', 'c']);
    expect(lists.flash.listByArtist).toHaveBeenCalledTimes(2);
  });

  test('does nothing if the list is not in the cache', async () => {
    const lists = createLists();
    const query = lists.queries.flash.listByArtist({ id: 'x' });
    await remove(lists, query, 'a');

    expect(lists.client.getQueryData(query.queryKey)).toBeUndefined();
  });
});

describe('a reorder', () => {
  test('of which only the first request succeeds shows the orders that are stored', async () => {
    const lists = createLists();
    lists.stored.splice(
      0,
      Infinity,
      ...Array.from({ length: 501 }, (_, index) => ({
        id: `${index}`.padStart(3, '0'),
        order: 1,
      })),
    );
    const { query, observer, getIds } = await openFlash(lists);
    while (observer.getCurrentResult().hasNextPage) await observer.fetchNextPage();
    const { data } = observer.getCurrentResult();
    const updates = computeFlashUpdates(data ? getItems(data) : [], '500', 1);
    // The first request stores 500 positions, and the second one fails.
    const { reorder } = lists.flash;
    reorder.mockResolvedValueOnce({}).mockRejectedValueOnce(unavailable);
    const api = { flash: { reorder } } as unknown as MarketplaceClient;
    await expect(reorderFlash(lists.client, query, api, updates)).rejects.toBe(unavailable);

    const [first, second] = [updates.slice(0, 500), updates.slice(500)];
    expect(reorder.mock.calls).toEqual([[{ flashUpdates: first }], [{ flashUpdates: second }]]);
    expect(second).toHaveLength(1);
    // The positions of two listings are 1: they are listed by id.
    expect(getIds()?.slice(0, 3)).toEqual(['000', '499', '500']);
  });

  test('sends as many updates at once as the API accepts', async () => {
    const document = JSON.parse(await readFile('public/openapi.json', 'utf8')) as {
      components: {
        schemas: { ReorderRequest: { properties: { flashUpdates: { maxItems: number } } } };
      };
    };
    const { maxItems } = document.components.schemas.ReorderRequest.properties.flashUpdates;
    const updates = Array.from({ length: maxItems }, (_, order) => ({ id: `${order}`, order }));
    const { client, queries, flash } = createLists();
    const api = { flash } as unknown as MarketplaceClient;
    await reorderFlash(client, queries.flash.listByArtist({ id: 'x' }), api, [
      ...updates,
      { id: 'last', order: 1 },
    ]);

    expect(flash.reorder.mock.calls[0]).toEqual([{ flashUpdates: updates }]);
  });

  test('of a listing that has left the list changes nothing', async () => {
    const { getIds } = await openFlash(createLists());
    const listings = (getIds() ?? []).map((id, order) => ({ id, order }));
    const updates = computeFlashUpdates(listings, 'gone', 0);

    expect(updates).toEqual([]);
    expect(applyFlashUpdates(listings, updates)).toEqual(listings);
  });
});
