import { get } from 'node:https';
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
    const fetched = await fetchDocument(url, signal);
    if (!hasKeys(JSON.parse(fetched.value))) throw new Error('The response contains no keys.');
    return fetched;
  };
  return fetchOnce().catch(fetchOnce);
}

/** The complete body of a 200 response. */
async function fetchDocument(url: string, signal: AbortSignal): Promise<Fetched<string>> {
  return new Promise((resolve, reject) => {
    const sent = get(url, { signal }, (response) => {
      const { statusCode = 0, headers } = response;
      let value = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        value += chunk;
      });
      response.on('error', reject);
      response.on('end', () => {
        if (statusCode !== 200) reject(new Error(`The response has status ${statusCode}.`));
        else resolve({ value, lifetimeMs: lifetimeOf(headers['cache-control']) });
      });
    });
    sent.on('error', reject);
  });
}

function lifetimeOf(cacheControl = ''): number {
  const [, seconds] = /\bmax-age=(\d+)/.exec(cacheControl) ?? [];
  return seconds === undefined
    ? DEFAULT_LIFETIME_MS
    : Math.max(MIN_LIFETIME_MS, Number(seconds) * 1000);
}
