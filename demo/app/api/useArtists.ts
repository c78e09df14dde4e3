import { use } from 'react';
import { useMarketplace } from './MarketplaceContext.ts';

/** Reads the verified artists. */
export function useArtists() {
  const { api, readOnce, signal } = useMarketplace();
  return use(readOnce('artists', () => api.artists.list(undefined, { signal })));
}
