import type { GalleryPhoto } from '@tattoo-marketplace/client';
import { errorDetails } from './errorMessages.ts';
import { useMarketplace } from './MarketplaceContext.ts';
import { usePagedList, type PagedList } from './usePagedList.ts';

/** Reads an artist's gallery photos, page by page or all of them. */
export function useArtistGallery(artistId: string, { all = false } = {}) {
  const { listByArtist } = useMarketplace().api.gallery;
  const input = { artistId, limit: all ? 50 : 24 };
  return usePagedList('gallery', listByArtist, input, ({ photos }) => photos, { all });
}

/** Removes photos from the artist's own gallery: all of them, or none. */
export function useRemovePhotos({ setItems }: PagedList<GalleryPhoto>) {
  const { removePhotos } = useMarketplace().api.gallery;
  return async (photoIds: string[]) => {
    await removePhotos({ photoIds }).catch((error: unknown) => {
      const { code, mayHaveSucceeded } = errorDetails(error);
      // An earlier attempt, whose response was lost, has removed them.
      if (code !== 'not-found' || !mayHaveSucceeded) throw error;
    });
    setItems((photos) => photos.filter(({ id }) => !photoIds.includes(id)));
  };
}
