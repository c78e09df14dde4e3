import { createContext, use } from 'react';
import type { MarketplaceClient } from '@tattoo-marketplace/client';

/**
 * Provides the API client to the hooks of this folder, which also run in React Native. When the signed-in user changes,
 * mount the components with these hooks again, for example by the id of the user as their `key`. React then discards what
 * was read for the former user, and the calls under way are aborted.
 */
export const MarketplaceContext = createContext<MarketplaceClient | undefined>(undefined);

/** Returns the API client. */
export function useMarketplace(): MarketplaceClient {
  const api = use(MarketplaceContext);
  if (api === undefined) throw new Error('This hook needs a MarketplaceContext above it.');
  return api;
}
