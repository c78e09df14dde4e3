import { createPublicKey, type JsonWebKeyInput, type KeyObject } from 'node:crypto';
import { fetchText } from '../platform/fetchText.ts';
import type { Fetched } from '../platform/sharedFetch.ts';

/** How long keys are used if Google does not say, in ms. The Admin SDK uses those of App Check for that long. */
const DEFAULT_LIFETIME_MS = 6 * 3_600_000;
/** Shorter lifetimes are extended, so that not every token costs a fetch, in ms. */
const MIN_LIFETIME_MS = 60_000;

/** RSA keys by their ids. */
export type PublicKeys = ReadonlyMap<unknown, KeyObject>;

/** A key that a document contains, with its id. Neither is checked. */
export type ListedKey = readonly [id: unknown, key: string | JsonWebKeyInput];

/** Fetches a document with public keys, in at most two attempts. `listKeys` returns the keys in it. */
export async function fetchPublicKeys(
  url: string,
  listKeys: (document: unknown) => readonly ListedKey[],
  signal: AbortSignal,
): Promise<Fetched<PublicKeys>> {
  const fetchOnce = async () => {
    const { text, headers } = await fetchText(url, { signal });
    const value = new Map(listKeys(JSON.parse(text)).flatMap(readKey));
    // With an empty document or an error page instead of keys, every token would be invalid.
    if (value.size === 0) throw new Error('The response contains no keys.');
    return { value, lifetimeMs: lifetimeOf(headers['cache-control']) };
  };
  return fetchOnce().catch(fetchOnce);
}

function readKey([id, listed]: ListedKey): [unknown, KeyObject][] {
  try {
    const key = createPublicKey(listed);
    return key.asymmetricKeyType === 'rsa' ? [[id, key]] : [];
  } catch {
    return [];
  }
}

function lifetimeOf(cacheControl = ''): number {
  const [, seconds] = /\bmax-age=(\d+)/.exec(cacheControl) ?? [];
  return seconds === undefined
    ? DEFAULT_LIFETIME_MS
    : Math.max(MIN_LIFETIME_MS, Number(seconds) * 1000);
}
