import { useOptimistic } from 'react';
import type { FlashListing } from '@tattoo-marketplace/client';
import { useMarketplace } from './MarketplaceContext.ts';
import { moveItem, orderChanges } from './order.ts';
import type { PagedList } from './usePagedList.ts';

/** How many listings one request can change. */
const MAX_CHANGES = 500;

/**
 * Moves the artist's own listings. Call `reorder` in a transition, and not while `isSaving`. `items` shows the new order
 * at once. If it cannot be saved, `reorder` rejects, and `items` is in the former order again.
 */
export function useReorder(list: PagedList<FlashListing>) {
  const { api } = useMarketplace();
  const [items, showItems] = useOptimistic(list.items);

  async function reorder(from: number, to: number): Promise<void> {
    const moved = moveItem(items, from, to);
    const changes = orderChanges(moved, to);
    showItems(moved);
    for (let start = 0; start < changes.length; start += MAX_CHANGES) {
      await api.flash.reorder({ flashUpdates: changes.slice(start, start + MAX_CHANGES) });
    }
    const saved = new Map(changes.map((change) => [change.id, change]));
    list.setItems((current) =>
      moveItem(current, from, to).map((listing) => ({ ...listing, ...saved.get(listing.id) })),
    );
  }

  return { items, isSaving: items !== list.items, reorder };
}
