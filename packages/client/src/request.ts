import { MarketplaceError } from './error.ts';
import type { MarketplaceOptions } from './types.ts';

/** An operation of the API. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  /** True if calls need the token of a user. */
  readonly access?: 'signedIn';
  /**
   * How a call with an unknown outcome is retried. By default, it may be repeated. `unsafe`: it must not be.
   * `idempotency-key`: with the same key, the service applies it once.
   */
  readonly retry?: 'unsafe' | 'idempotency-key';
}

/** A request that can be sent. */
export interface Request {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

/** The base URL without a slash at its end. Throws if no request could be sent to it. */
export function normalizeBaseUrl(baseUrl: string): string {
  // In a browser it may be a path.
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
): Request {
  // By the types of the operations, parameters in a URL are strings or numbers.
  const remainingInput = new Map<string, string | number | undefined>(Object.entries(input ?? {}));
  const target = path.replace(/{(\w+)}/g, (_placeholder, name: string) => {
    const id = String(remainingInput.get(name) ?? '');
    remainingInput.delete(name);
    // An empty ID would address another path, and URLs resolve `.` and `..`.
    if (/^\.{0,2}$/.test(id)) throw new TypeError(`${name} must be an id.`);
    return encodeURIComponent(id);
  });
  const url = baseUrl + target;
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

/** Sends a request, and resolves with the body of its response. Follows no redirect: that would send the body elsewhere. */
export async function sendRequest(
  { url, ...init }: Request,
  { fetch = globalThis.fetch }: MarketplaceOptions,
  signal: AbortSignal,
): Promise<object> {
  const [address = ''] = url.split('?');
  let response, text;
  try {
    response = await fetch(url, { ...init, redirect: 'manual', signal });
    text = await response.text();
  } catch (cause) {
    throw new MarketplaceError(`${address} could not be reached.`, { cause });
  }
  const data = tryParseObject(text);
  if (response.ok && data !== undefined) return data;
  const { status, headers } = response;
  const header = (name: string) => headers.get(name) ?? undefined;
  const code = header('X-Error-Code');
  const isApiError = code !== undefined && data !== undefined && 'message' in data;
  const unexpectedResponse = `${address} responded with status ${status} and a body that is not from the API.`;
  throw new MarketplaceError(isApiError ? String(data.message) : unexpectedResponse, {
    status,
    code: code ?? 'platform',
    requestId: header('X-Request-Id'),
    // Some proxies send a date instead.
    retryAfter: Number(header('Retry-After')) || undefined,
  });
}

/** Parses the body of a response. The API always sends an object or an array. */
function tryParseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? (value ?? undefined) : undefined;
  } catch {
    return undefined;
  }
}
