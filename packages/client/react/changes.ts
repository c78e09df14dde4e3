import { useOptimistic } from 'react';
import type { FlashListing, GalleryPhoto } from '@tattoo-marketplace/client';
import { errorDetails } from './errorMessages.ts';
import { useMarketplace } from './MarketplaceContext.ts';
import { moveItem, orderChanges } from './order.ts';
import type { PagedList } from './usePagedList.ts';

/** Marks the artist's own listings as available or as taken: all of them, or none. */
export function useMarkFlash({ setItems }: PagedList<FlashListing>) {
  const { markAsAvailable, markAsUnavailable } = useMarketplace().api.flash;
  return async (listings: readonly FlashListing[], isAvailable: boolean) => {
    const flashIds = listings.map(({ id }) => id);
    await (isAvailable ? markAsAvailable : markAsUnavailable)({ flashIds });
    setItems((items) =>
      items.map((item) => (flashIds.includes(item.id) ? { ...item, isAvailable } : item)),
    );
  };
}

/** How many listings one request can change. */
const MAX_CHANGES = 500;

/**
 * Moves the artist's own listings. Call `reorder` in a transition (`startTransition`), and not during another one: `items`
 * shows the new order at once. If it cannot be saved, `reorder` rejects, and `items` is in the former order again.
 */
export function useReorder(list: PagedList<FlashListing>) {
  const { flash } = useMarketplace().api;
  const [items, showItems] = useOptimistic(list.items);

  async function reorder(from: number, to: number) {
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
  return { items, reorder };
}

/** Removes photos from the artist's own gallery: all of them, or none. */
export function useRemovePhotos({ setItems }: PagedList<GalleryPhoto>) {
  const { removePhotos } = useMarketplace().api.gallery;
  return async (photos: readonly GalleryPhoto[]) => {
    const photoIds = photos.map(({ id }) => id);
    await removePhotos({ photoIds }).catch((error: unknown) => {
      const { code, mayHaveSucceeded } = errorDetails(error);
      // An earlier attempt, whose response was lost, has removed them.
      if (code !== 'not-found' || !mayHaveSucceeded) throw error;
    });
    setItems((items) => items.filter(({ id }) => !photoIds.includes(id)));
  };
}
