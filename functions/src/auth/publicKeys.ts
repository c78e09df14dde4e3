import { fetchText } from '../platform/fetchText.ts';
import type { Fetched } from '../platform/sharedFetch.ts';

/** How long keys are used if Google does not say, in ms. The Admin SDK uses those of App Check for that long. */
const DEFAULT_LIFETIME_MS = 6 * 3_600_000;
/** Shorter lifetimes are extended, so that not every token costs a fetch, in ms. */
const MIN_LIFETIME_MS = 60_000;

/**
 * Fetches a document with public keys, in at most two attempts. `hasKeys` tells whether a document is one: with an empty
 * document or an error page instead of keys, every token would be invalid.
 */
export async function fetchPublicKeys(
  url: string,
  hasKeys: (document: unknown) => boolean,
  signal: AbortSignal,
): Promise<Fetched<string>> {
  const fetchOnce = async () => {
    const { text, headers } = await fetchText(url, { signal });
    if (!hasKeys(JSON.parse(text))) throw new Error('The response contains no keys.');
    return { value: text, lifetimeMs: lifetimeOf(headers['cache-control']) };
  };
  return fetchOnce().catch(fetchOnce);
}

function lifetimeOf(cacheControl = ''): number {
  const seconds = /\bmax-age=(\d+)/.exec(cacheControl)?.[1];
  return seconds === undefined
    ? DEFAULT_LIFETIME_MS
    : Math.max(MIN_LIFETIME_MS, Number(seconds) * 1000);
}
