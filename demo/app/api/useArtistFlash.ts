import { useMarketplace } from './MarketplaceContext.ts';
import { usePagedList } from './usePagedList.ts';

/** Reads an artist's flash listings, page by page or all of them. */
export function useArtistFlash(id: string, { all = false } = {}) {
  const { listByArtist } = useMarketplace().api.flash;
  const input = { id, limit: all ? 50 : 24 };
  return usePagedList(`flash/${id}`, listByArtist, input, ({ flash }) => flash, { all });
}
