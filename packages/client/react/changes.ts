import type { FlashListing, GalleryPhoto } from '@tattoo-marketplace/client';
import { errorDetails } from './errorMessages.ts';
import { moveItem, orderChanges } from './order.ts';
import { useScreen } from './screen.ts';
import type { PagedList } from './usePagedList.ts';

/** Marks the artist's own listings as available or as taken: all of them, or none. */
export function useMarkFlash({ setItems }: PagedList<FlashListing>) {
  const { markAsAvailable, markAsUnavailable } = useScreen().api.flash;
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
 * Moves the artist's own listings, which must all be loaded. The new order is shown at once. If it cannot be saved, the
 * listing moves back, and the promise rejects. Do not move another listing before it has settled.
 */
export function useReorder({ items, hasMore, setItems }: PagedList<FlashListing>) {
  const { flash } = useScreen().api;
  return async (from: number, to: number) => {
    if (from === to) return;
    if (hasMore) throw new Error('Load all listings before you reorder them.');
    const changes = orderChanges(moveItem(items, from, to), to);
    setItems((current) => moveItem(current, from, to));
    try {
      for (let start = 0; start < changes.length; start += MAX_CHANGES) {
        const flashUpdates = changes.slice(start, start + MAX_CHANGES);
        await flash.reorder({ flashUpdates });
        const saved = new Map(flashUpdates.map((update) => [update.id, update]));
        setItems((current) => current.map((item) => ({ ...item, ...saved.get(item.id) })));
      }
    } catch (error) {
      setItems((current) => {
        const index = current.findIndex(({ id }) => id === items[from]?.id);
        return moveItem(current, index, from);
      });
      throw error;
    }
  };
}

/** Removes photos from the artist's own gallery: all of them, or none. */
export function useRemovePhotos({ setItems }: PagedList<GalleryPhoto>) {
  const { removePhotos } = useScreen().api.gallery;
  return async (photos: readonly GalleryPhoto[]) => {
    const photoIds = photos.map(({ id }) => id);
    await removePhotos({ photoIds }).catch((error: unknown) => {
      const { code, mayHaveSucceeded } = errorDetails(error);
      // An earlier attempt, whose response was lost, has removed the photo. Of several photos, another device may have removed
      // one, so that none was removed now.
      const isRemoved = code === 'not-found' && mayHaveSucceeded && photos.length === 1;
      if (!isRemoved) throw error;
    });
    setItems((items) => items.filter(({ id }) => !photoIds.includes(id)));
  };
}
