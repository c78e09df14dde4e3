import { startTransition, useOptimistic } from 'react';
import type { FlashListing } from '@tattoo-marketplace/client';
import { useMarketplace } from './MarketplaceContext.ts';
import { moveItem, orderChanges } from './order.ts';
import { usePagedList, type PagedList } from './usePagedList.ts';

/** Reads an artist's flash listings, page by page or all of them. */
export function useArtistFlash(id: string, { all = false } = {}) {
  const { listByArtist } = useMarketplace().api.flash;
  const input = { id, limit: all ? 50 : 24 };
  return usePagedList('flash', listByArtist, input, ({ flash }) => flash, { all });
}

/** Marks the artist's own listings as available or as taken: all of them, or none. */
export function useMarkFlash({ setItems }: PagedList<FlashListing>) {
  const { markAsAvailable, markAsUnavailable } = useMarketplace().api.flash;
  return async (flashIds: string[], isAvailable: boolean) => {
    await (isAvailable ? markAsAvailable : markAsUnavailable)({ flashIds });
    const mark = (listing: FlashListing) =>
      flashIds.includes(listing.id) ? { ...listing, isAvailable } : listing;
    setItems((listings) => listings.map(mark));
  };
}

/** How many listings one request can change. */
const MAX_CHANGES = 500;

/**
 * Moves the artist's own listings. `items` shows the new order at once. If it cannot be saved, `reorder` rejects, and
 * `items` is in the former order again. Do not call `reorder` while `isSaving`.
 */
export function useReorder(list: PagedList<FlashListing>) {
  const { flash } = useMarketplace().api;
  const [items, showItems] = useOptimistic(list.items);

  async function save(from: number, to: number) {
    const moved = moveItem(items, from, to);
    const changes = orderChanges(moved, to);
    showItems(moved);
    for (let start = 0; start < changes.length; start += MAX_CHANGES) {
      await flash.reorder({ flashUpdates: changes.slice(start, start + MAX_CHANGES) });
    }
    const saved = new Map(changes.map((change) => [change.id, change]));
    list.setItems((current) =>
      moveItem(current, from, to).map((listing) => ({ ...listing, ...saved.get(listing.id) })),
    );
  }
  const reorder = (from: number, to: number) =>
    new Promise<void>((resolve, reject) => {
      startTransition(() => save(from, to).then(resolve, reject));
    });
  return { items, isSaving: items !== list.items, reorder };
}
