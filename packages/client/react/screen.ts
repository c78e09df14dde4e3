import { createContext, use } from 'react';
import type { MarketplaceClient } from '@tattoo-marketplace/client';

let lastId = 0;

/**
 * Opens a screen for the hooks of this folder, which also run in React Native. Open one in the event handlers after which the
 * user sees another screen: for a navigation, a retry after an error, a sign-in and a sign-out. Pass it to a `ScreenContext`
 * whose `key` is the `id` of the screen.
 */
export function openScreen(api: MarketplaceClient) {
  const controller = new AbortController();
  const results = new Map<string, unknown>();
  lastId += 1;
  /** Calls a function only once for each name. A component can suspend with the result. */
  function readOnce<Result>(name: string, read: () => Promise<Result>): Promise<Result> {
    const result = results.get(name) ?? read();
    results.set(name, result);
    return result as Promise<Result>;
  }
  /**
   * Aborts what the screen reads. Call it where you open the next screen, not in an effect: in development, React runs
   * effects and their cleanup twice.
   */
  const leave = () => controller.abort();
  return { id: lastId, api, signal: controller.signal, readOnce, leave };
}

export type Screen = ReturnType<typeof openScreen>;

export const ScreenContext = createContext<Screen | undefined>(undefined);

/** Returns the screen of a component: the API client, and the reads and their signal. */
export function useScreen(): Screen {
  const screen = use(ScreenContext);
  if (screen === undefined) throw new Error('This hook needs a ScreenContext above it.');
  return screen;
}
