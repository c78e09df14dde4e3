import { useEffect, useState } from 'react';
import type { User } from '@tattoo-marketplace/client';
import { useMarketplace } from './MarketplaceContext.ts';
import type { Loadable } from './usePagedList.ts';

let reading: Promise<readonly User[]> | undefined;

/** Reads the verified artists, once for all components. */
export function useArtists(): Loadable & { readonly items: readonly User[] } {
  const api = useMarketplace();
  const [items, setItems] = useState<readonly User[]>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    reading ??= api.artists.list();
    reading.then(setItems, (reason: unknown) => {
      reading = undefined;
      setError(reason);
    });
  }, [api]);
  return { items: items ?? [], isLoaded: items !== undefined, error };
}
