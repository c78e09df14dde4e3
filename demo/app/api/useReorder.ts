import { useState } from 'react';
import type { FlashListing } from '@tattoo-marketplace/client';
import { useMarketplace } from './MarketplaceContext.ts';
import { moveItem, orderChanges } from './order.ts';
import type { PagedList } from './usePagedList.ts';

/** How many listings one request can change. */
const MAX_CHANGES = 500;

/**
 * Moves the artist's own listings. `reorder` shows the new order at once. If it cannot be saved, `reorder` restores the
 * former order and rejects. Do not call it while `isSaving`.
 */
export function useReorder({ items, setItems }: PagedList<FlashListing>) {
  const api = useMarketplace();
  const [isSaving, setSaving] = useState(false);

  async function reorder(from: number, to: number): Promise<void> {
    const changes = orderChanges(moveItem(items, from, to), to);
    setItems((current) => moveItem(current, from, to));
    setSaving(true);
    try {
      for (let start = 0; start < changes.length; start += MAX_CHANGES) {
        await api.flash.reorder({ flashUpdates: changes.slice(start, start + MAX_CHANGES) });
      }
      const saved = new Map(changes.map((change) => [change.id, change]));
      setItems((current) => current.map((listing) => ({ ...listing, ...saved.get(listing.id) })));
    } catch (error) {
      setItems((current) => moveItem(current, to, from));
      throw error;
    } finally {
      setSaving(false);
    }
  }

  return { isSaving, reorder };
}
