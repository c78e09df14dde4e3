/** Tests what the hooks that change lists do with failed requests and with the list. */
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import {
  MarketplaceError,
  type FlashListing,
  type GalleryPhoto,
  type MarketplaceClient,
} from '@tattoo-marketplace/client';
import { useRemovePhotos, useReorder } from './changes.ts';
import { openScreen, ScreenContext } from './screen.ts';
import type { PagedList } from './usePagedList.ts';

/** Calls a hook in a component of a screen with this API. */
function callHook<Result>(api: object, hook: () => Result): Result {
  let result: Result | undefined;
  function Component() {
    result = hook();
    return null;
  }
  const screen = openScreen(api as MarketplaceClient);
  renderToString(createElement(ScreenContext, { value: screen }, createElement(Component)));
  return result as Result;
}

/** Creates a list that is loaded entirely. */
function createList<Item>(items: readonly Item[]) {
  const list = {
    items,
    hasMore: false,
    isOutdated: false,
    loadMore: () => Promise.resolve(),
    setItems(change: Parameters<PagedList<Item>['setItems']>[0]) {
      list.items = change(list.items);
    },
  };
  return list;
}

const getIds = (list: { readonly items: readonly { readonly id: string }[] }) =>
  list.items.map(({ id }) => id);

function createError(status: number, code: string, mayHaveSucceeded = false): MarketplaceError {
  return Object.assign(new MarketplaceError('Failed', { status, code }), { mayHaveSucceeded });
}

describe('useReorder', () => {
  const createListing = (id: string, order?: number): FlashListing => ({
    id,
    artistId: 'artist-1',
    isVisible: true,
    ...(order !== undefined && { order }),
  });

  test('shows the new order at once and stores it', async () => {
    const reorder = jest.fn(() => Promise.resolve());
    const list = createList([1, 2, 3].map((order) => createListing(`flash-${order}`, order)));
    const saved = callHook({ flash: { reorder } }, () => useReorder(list))(2, 0);

    expect(getIds(list)).toEqual(['flash-3', 'flash-1', 'flash-2']);
    await saved;
    expect(list.items[0]?.order).toBe(0);
    expect(reorder).toHaveBeenCalledWith({ flashUpdates: [{ id: 'flash-3', order: 0 }] });
  });

  test('moves the listing back if the order cannot be stored, and keeps other changes', async () => {
    const error = createError(403, 'permission-denied');
    const reorder = () => {
      list.setItems((items) => items.filter(({ id }) => id !== 'flash-4'));
      return Promise.reject(error);
    };
    const list = createList([1, 2, 3, 4].map((order) => createListing(`flash-${order}`, order)));

    await expect(callHook({ flash: { reorder } }, () => useReorder(list))(0, 3)).rejects.toBe(
      error,
    );
    expect(getIds(list)).toEqual(['flash-1', 'flash-2', 'flash-3']);
  });

  test('keeps the orders of the requests that succeeded before one failed', async () => {
    const error = createError(503, 'unavailable');
    const reorder = jest.fn().mockResolvedValueOnce({}).mockRejectedValueOnce(error);
    const list = createList(Array.from({ length: 501 }, (_, index) => createListing(`${index}`)));

    await expect(callHook({ flash: { reorder } }, () => useReorder(list))(500, 0)).rejects.toBe(
      error,
    );
    expect(getIds(list).at(-1)).toBe('500');
    expect(list.items.map(({ order }) => order).slice(-3)).toEqual([499, undefined, 0]);
  });

  test('sends nothing if the listing stays at its place', async () => {
    const reorder = jest.fn();
    const list = createList([createListing('flash-1', 1), createListing('flash-2', 2)]);
    await callHook({ flash: { reorder } }, () => useReorder(list))(1, 1);

    expect(reorder).not.toHaveBeenCalled();
  });

  test('requires the entire list', async () => {
    const list = { ...createList([createListing('flash-1', 1)]), hasMore: true };
    const move = callHook({ flash: {} }, () => useReorder(list));

    await expect(move(0, 1)).rejects.toThrow('Load all listings before you reorder them.');
  });
});

describe('useRemovePhotos', () => {
  const PHOTOS: GalleryPhoto[] = ['photo-1', 'photo-2', 'photo-3'].map((id) => ({
    id,
    artistId: 'artist-1',
    isVisible: true,
  }));

  test.each([
    {
      name: 'takes a photo as removed if it is gone after an attempt whose outcome is unknown',
      photos: PHOTOS.slice(0, 1),
      error: createError(404, 'not-found', true),
      isRemoved: true,
    },
    {
      name: 'fails if a photo is gone before the first attempt',
      photos: PHOTOS.slice(0, 1),
      error: createError(404, 'not-found'),
      isRemoved: false,
    },
    {
      name: 'fails if one of several photos is gone, even after an attempt whose outcome is unknown',
      photos: PHOTOS.slice(0, 2),
      error: createError(404, 'not-found', true),
      isRemoved: false,
    },
  ])('$name', async ({ photos, error, isRemoved }) => {
    const list = createList(PHOTOS);
    const removePhotos = () => Promise.reject(error);
    const remove = callHook({ gallery: { removePhotos } }, () => useRemovePhotos(list));
    const result = await remove(photos).catch((reason: unknown) => reason);

    expect(result).toBe(isRemoved ? undefined : error);
    expect(getIds(list)).toHaveLength(isRemoved ? 2 : 3);
  });
});
