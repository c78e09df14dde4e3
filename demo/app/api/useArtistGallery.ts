import { useMarketplace } from './MarketplaceContext.ts';
import { usePagedList } from './usePagedList.ts';

/** Reads an artist's gallery photos, page by page or all of them. */
export function useArtistGallery(artistId: string, { all = false } = {}) {
  const { listByArtist } = useMarketplace().api.gallery;
  const input = { artistId, limit: all ? 50 : 24 };
  return usePagedList(`gallery/${artistId}`, listByArtist, input, ({ photos }) => photos, { all });
}
