import { MarketplaceError } from './error.ts';
import type { MarketplaceOptions } from './types.ts';

/** An operation of the API. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  /** Present if calls need the token of a user. */
  readonly access?: 'signedIn';
  /**
   * Limits retries after an unknown outcome, which are safe by default. `unsafe`: the client does not retry.
   * `idempotency-key`: retries have the same key, and the service applies the call once.
   */
  readonly retry?: 'unsafe' | 'idempotency-key';
}

/** An HTTP request. */
export interface HttpRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

/** Removes the slash at the end of the base URL. Throws if the URL is invalid. */
export function normalizeBaseUrl(baseUrl: string): string {
  // In a browser, the base URL may be a path.
  if (/^(https?:\/\/[^/?#\s]|\/(?!\/))[^?#\s]*$/.test(baseUrl)) return baseUrl.replace(/\/$/, '');
  throw new TypeError(
    `baseUrl must be the address of the API, such as https://PROJECT.web.app/api, not ${JSON.stringify(baseUrl)}.`,
  );
}

/** Builds the request of a call, without tokens. */
export function buildRequest(
  { method, path, retry }: Operation,
  input: object | undefined,
  { baseUrl }: MarketplaceOptions,
  idempotencyKey: string,
): HttpRequest {
  // By the types of the operations, parameters in a URL are strings or numbers.
  const remainingInput = new Map<string, string | number | undefined>(Object.entries(input ?? {}));
  const targetPath = path.replace(/{(\w+)}/g, (_placeholder, name: string) => {
    const id = String(remainingInput.get(name) ?? '');
    remainingInput.delete(name);
    // An empty ID would address another path, and URLs resolve `.` and `..`.
    if (/^\.{0,2}$/.test(id)) throw new TypeError(`${name} must be an id.`);
    return encodeURIComponent(id);
  });
  const url = baseUrl + targetPath;
  const headers = retry === 'idempotency-key' ? { 'Idempotency-Key': idempotencyKey } : {};
  if (method === 'GET') {
    // React Native's URLSearchParams is incomplete.
    const query = [...remainingInput]
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
      .join('&');
    return { url: query === '' ? url : `${url}?${query}`, method, headers };
  }
  // An operation without input has no body.
  if (input === undefined) return { url, method, headers };
  const body = JSON.stringify(Object.fromEntries(remainingInput));
  return { url, method, headers: { ...headers, 'Content-Type': 'application/json' }, body };
}

/** Sends a request. Returns the body of its response. Follows no redirects, because they would send the body elsewhere. */
export async function sendRequest(
  request: HttpRequest,
  options: MarketplaceOptions,
  signal: AbortSignal,
): Promise<object> {
  const [address = ''] = request.url.split('?');
  const { response, body } = await fetchResponse(request, options, signal).catch(
    (cause: unknown) => {
      throw new MarketplaceError(`${address} could not be reached.`, { cause });
    },
  );
  const data = tryParseObject(body);
  if (response.ok && data !== undefined) return data;
  const { status, headers } = response;
  const code = headers.get('X-Error-Code');
  const isApiError = code !== null && data !== undefined && 'message' in data;
  const message = isApiError
    ? String(data.message)
    : `${address} responded with status ${status} and a body that is not from the API.`;
  throw new MarketplaceError(message, {
    status,
    code: code ?? 'platform',
    requestId: headers.get('X-Request-Id') ?? undefined,
    // Some proxies send a date instead of seconds.
    retryAfter: Number(headers.get('Retry-After')) || undefined,
  });
}

async function fetchResponse(
  { url, ...init }: HttpRequest,
  { fetch = globalThis.fetch }: MarketplaceOptions,
  signal: AbortSignal,
): Promise<{ readonly response: Response; readonly body: string }> {
  const response = await fetch(url, { ...init, redirect: 'manual', signal });
  return { response, body: await response.text() };
}

/** Parses the body of a response; undefined if it is not an object or an array, as from the API. */
function tryParseObject(body: string): object | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' ? (value ?? undefined) : undefined;
  } catch {
    return undefined;
  }
}
