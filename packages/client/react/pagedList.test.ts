/** Tests the state of a list that is read page by page, with a list of five items in pages of two. */
import { MarketplaceError, pages } from '@tattoo-marketplace/client';
import { openPagedList } from './pagedList.ts';

const IDS = ['a', 'b', 'c', 'd', 'e'];

/** Creates a method that lists the items. It first fails with these errors, one for each call. */
function createListMethod(...errors: (Error | undefined)[]) {
  return jest.fn(({ cursor }: { cursor?: string | undefined }) => {
    const error = errors.shift();
    if (error) return Promise.reject(error);
    const start = cursor === undefined ? 0 : IDS.indexOf(cursor) + 1;
    const pageIds = IDS.slice(start, start + 2);
    const hasMore = start + 2 < IDS.length;
    return Promise.resolve({
      items: pageIds.map((id) => ({ id })),
      hasMore,
      total: IDS.length,
      ...(hasMore && { nextCursor: pageIds.at(-1) }),
    });
  });
}

async function open(list = createListMethod(), { all = false } = {}) {
  const openPages = () => pages(list, {});
  const { getState, actions, subscribe } = await openPagedList(openPages, 'items', { all });
  const getIds = () => getState().items.map(({ id }) => id);
  return { ...actions, getState, getIds, subscribe };
}

test('only the first page is read', async () => {
  const list = createListMethod();
  const { getState, getIds } = await open(list);

  expect(getIds()).toEqual(['a', 'b']);
  expect(getState()).toMatchObject({ hasMore: true, total: 5, isOutdated: false });
  expect(list).toHaveBeenCalledTimes(1);
});

test('all pages are read if all are requested', async () => {
  const { getState, getIds } = await open(createListMethod(), { all: true });

  expect(getIds()).toEqual(IDS);
  expect(getState().hasMore).toBe(false);
});

test('concurrent calls of loadMore read one page each', async () => {
  const { getIds, loadMore } = await open();
  await Promise.all([loadMore(), loadMore()]);

  expect(getIds()).toEqual(IDS);
});

test('loadMore after the last page changes nothing', async () => {
  const { getState, loadMore } = await open(createListMethod(), { all: true });
  const state = getState();
  await loadMore();

  expect(getState()).toBe(state);
});

test('loadMore reads the page again whose read has failed', async () => {
  const error = new MarketplaceError('Busy', { status: 503, code: 'unavailable' });
  const { getState, getIds, loadMore } = await open(createListMethod(undefined, error));

  await expect(loadMore()).rejects.toBe(error);
  expect(getState()).toMatchObject({ hasMore: true, isOutdated: false });
  await loadMore();
  expect(getIds()).toEqual(['a', 'b', 'c', 'd']);
});

test('loadMore starts again after cursor-not-found', async () => {
  const error = new MarketplaceError('Changed', { status: 400, code: 'cursor-not-found' });
  const { getState, getIds, loadMore } = await open(createListMethod(undefined, error));

  await expect(loadMore()).rejects.toBe(error);
  expect(getState().isOutdated).toBe(true);
  expect(getIds()).toEqual(['a', 'b']);
  await Promise.all([loadMore(), loadMore()]);
  expect(getIds()).toEqual(['a', 'b', 'c', 'd']);
  expect(getState().isOutdated).toBe(false);
});

test('an item that two pages have is listed once', async () => {
  const { getIds, loadMore, setItems } = await open();
  setItems((items) => [...items, { id: 'c' }]);
  await loadMore();

  expect(getIds()).toEqual(['a', 'b', 'c', 'd']);
});

test('setItems adjusts the total and calls the listeners', async () => {
  const { getState, setItems, subscribe } = await open();
  const listener = jest.fn();
  const unsubscribe = subscribe(listener);
  setItems((items) => items.slice(1));
  unsubscribe();
  setItems((items) => items.slice(1));

  expect(getState()).toMatchObject({ items: [], total: 3 });
  expect(listener).toHaveBeenCalledTimes(1);
});

test('opening fails with the error of the first page', async () => {
  const error = new MarketplaceError('Forbidden', { status: 403, code: 'permission-denied' });

  await expect(open(createListMethod(error))).rejects.toBe(error);
});
