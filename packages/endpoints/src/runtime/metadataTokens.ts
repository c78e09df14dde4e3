/**
 * Access tokens of the service account of this process, from the platform's metadata server
 * (https://cloud.google.com/run/docs/container-contract#metadata-server). Google's client library sends the same request,
 * but loading it takes a tenth of a cold start.
 */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';

/** Timeout of fetching a token, in ms. */
const FETCH_TIMEOUT_MS = 5_000;
/**
 * Tokens are refreshed this long before they expire, in ms. The metadata server already returns a
 * new one then.
 */
const EXPIRY_MARGIN_MS = 60_000;

/** A source of access tokens for Google's APIs. */
export interface AccessTokenSource {
  /** Returns a token that is valid for at least a minute, or a promise of it if it must be fetched. */
  get(): string | Promise<string>;
  /** Forgets a token that Google has rejected. */
  discard(token: string): void;
}

/** The sources whose first token is fetched while the process starts. */
const prefetchedSources: AccessTokenSource[] = [];

/**
 * Creates a source of tokens that are valid for the Google APIs of this scope only. Concurrent callers share one fetch; if
 * it fails, it fails for all of them. With `prefetch`, a deployed process fetches the first token while it starts: for an
 * API that most requests call.
 */
export function createMetadataTokenSource(
  scope: string,
  { prefetch = false }: { readonly prefetch?: boolean } = {},
): AccessTokenSource {
  let current: { readonly token: string; readonly refreshAt: number } | undefined;
  let pending: Promise<string> | undefined;

  async function fetchToken(): Promise<string> {
    const response = (await fetchJson(scope)) as Readonly<Record<string, unknown>> | null;
    const { access_token: token, expires_in: seconds } = response ?? {};
    if (typeof token !== 'string' || token === '' || typeof seconds !== 'number') {
      throw new Error('The metadata server did not return an access token.');
    }
    current = { token, refreshAt: performance.now() + seconds * 1000 - EXPIRY_MARGIN_MS };
    return token;
  }

  const source: AccessTokenSource = {
    get: () => {
      if (current !== undefined && performance.now() < current.refreshAt) return current.token;
      pending ??= fetchToken().finally(() => {
        pending = undefined;
      });
      return pending;
    },
    discard: (token) => {
      if (current?.token === token) current = undefined;
    },
  };
  if (prefetch) prefetchedSources.push(source);
  return source;
}

/** Fetches the access tokens that the first request needs. After a failure, the first request tries again. */
export function prefetchAccessTokens(): void {
  for (const source of prefetchedSources) {
    Promise.try(() => source.get()).catch(() => undefined);
  }
}

/** Fetches the metadata server's response. Rejects unless it is complete in time and has status 200. */
async function fetchJson(scope: string): Promise<unknown> {
  const host = process.env.GCE_METADATA_HOST ?? '169.254.169.254';
  const url = `http://${host}/computeMetadata/v1/instance/service-accounts/default/token?scopes=${encodeURIComponent(scope)}`;
  const headers = { 'Metadata-Flavor': 'Google' };
  // `agent: false` bypasses proxies: the address is only valid within this machine.
  const clientRequest = get(url, {
    headers,
    agent: false,
    signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
  });
  // The request may still emit an error after the response has started.
  clientRequest.on('error', () => undefined);
  const [response] = (await once(clientRequest, 'response')) as [IncomingMessage];
  if (response.statusCode === 200) return json(response);
  response.resume();
  throw new Error(`The metadata server responded with ${response.statusCode}.`);
}
