import { createContext, use } from 'react';
import type { MarketplaceClient } from '@tattoo-marketplace/client';

/**
 * Opens a screen for the hooks of this folder, which also run in React Native. Open one when the user goes to another
 * screen or retries one that has failed, and when another user signs in. Pass it to a `MarketplaceContext`, and give the
 * components in it another `key`.
 */
export function openScreen(api: MarketplaceClient) {
  const controller = new AbortController();
  const results = new Map<string, unknown>();
  /** Calls a function only once for each key. A component can suspend with the result. */
  function readOnce<Result>(key: string, read: () => Promise<Result>): Promise<Result> {
    const result = results.get(key) ?? read();
    results.set(key, result);
    return result as Promise<Result>;
  }
  /** Aborts what the screen reads. Call it when the user leaves the screen. */
  const leave = () => controller.abort();
  return { api, signal: controller.signal, readOnce, leave };
}

export type Screen = ReturnType<typeof openScreen>;

export const MarketplaceContext = createContext<Screen | undefined>(undefined);

/** Returns the API client, and what else the hooks of a screen share. */
export function useMarketplace(): Screen {
  const screen = use(MarketplaceContext);
  if (screen === undefined) throw new Error('This hook needs a MarketplaceContext above it.');
  return screen;
}
