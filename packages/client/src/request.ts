import { MarketplaceError } from './error.ts';
import type { CallOptions, Caller, MarketplaceOptions } from './types.ts';
import { subOf } from './user.ts';

/** Method and path of an operation, whether it needs a signed-in user, and whether it must not be repeated, or creates. */
export type Operation = readonly [
  method: string,
  path: string,
  access?: 'signedIn' | undefined,
  effect?: 'once' | 'creates',
];

/** The options of a client, with those of one call. */
export type Options = MarketplaceOptions & CallOptions;

/** A request that can be sent. */
export interface Request {
  readonly url: string;
  readonly init: {
    readonly method: string;
    readonly headers: Record<string, string>;
    body?: string;
  };
}

/** The base URL without a slash at its end. Throws if no request could be sent to it. */
export function checkedBaseUrl({ baseUrl, fetch }: MarketplaceOptions): string {
  // A browser knows what a path is relative to, and so may a replacement of fetch.
  const canBePath = fetch !== undefined || 'location' in globalThis;
  const isAddress =
    /^https?:\/\/[^/?#\s]+[^?#\s]*$/.test(baseUrl) ||
    (canBePath && /^\/(?!\/)[^?#\s]*$/.test(baseUrl));
  if (isAddress) return baseUrl.replace(/\/$/, '');
  throw new TypeError(
    `baseUrl must be the address of the API, such as https://PROJECT.web.app/api, not ${JSON.stringify(baseUrl)}.`,
  );
}

/** The request of a call. Rejects if it belongs to another user than the caller. */
export async function requestOf(
  [method, , access]: Operation,
  { target, body }: Target,
  { baseUrl, token, appCheckToken, idempotencyKey }: Options,
  caller: Caller,
  forceRefresh: boolean,
): Promise<Request> {
  const idToken = access === 'signedIn' ? await token?.(forceRefresh) : undefined;
  if (access === 'signedIn') requireSameUser(caller, idToken);
  const appToken = await appCheckToken?.();
  const headers = {
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...(idToken && { Authorization: `Bearer ${idToken}` }),
    ...(appToken && { 'X-Firebase-AppCheck': appToken }),
    ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
  };
  // Throws if a token is no header. `fetch` would fail as if the connection were lost.
  new Headers(headers);
  return { url: baseUrl + target, init: { method, headers, ...(body !== undefined && { body }) } };
}

function requireSameUser(caller: Caller, idToken: string | undefined): void {
  const sub = idToken && subOf(idToken);
  caller.sub ??= sub;
  if (sub === caller.sub) return;
  throw new MarketplaceError('The user who made this call is no longer signed in.', {
    code: 'user-changed',
  });
}

/** Sends a request, and resolves with the body of its response. Follows no redirect: that would send the body elsewhere. */
export async function send(
  { url, init }: Request,
  { fetch = globalThis.fetch }: Options,
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
  const data = parsed(text);
  if (response.ok && data !== undefined) return data;
  const { status, type, headers } = response;
  const header = (name: string) => headers.get(name) ?? undefined;
  const code = header('X-Error-Code');
  const advice = status < 500 ? ' Is `baseUrl` the address of the API?' : '';
  // Browsers do not show its status.
  const what = type === 'opaqueredirect' ? 'a redirect' : status;
  const foreign = `${address} responded with ${what}, but not as the API does.${advice}`;
  const isOurs = code !== undefined && data !== undefined && 'message' in data;
  throw new MarketplaceError(isOurs ? String(data.message) : foreign, {
    status,
    code: code ?? 'platform',
    requestId: header('X-Request-Id'),
    retryAfter: secondsOf(header('Retry-After')),
  });
}

/** The path with its query, and the body. */
export interface Target {
  readonly target: string;
  readonly body?: string | undefined;
}

/** The target of a call with this input. */
export function targetOf([method, path]: Operation, input: object | undefined): Target {
  // What goes into a URL is a text or a number, by the types of the operations.
  const rest = new Map<string, string | number | undefined>(Object.entries(input ?? {}));
  const target = path.replace(/{(\w+)}/g, (_whole, name: string) => {
    const id = String(rest.get(name) ?? '');
    rest.delete(name);
    // Without an id it would be another path, and a URL cannot have a part like `..`.
    if (/^\.{0,2}$/.test(id)) throw new TypeError(`${name} must be an id.`);
    return encodeURIComponent(id);
  });
  // An operation without input has no body.
  if (method !== 'GET') return { target, body: input && JSON.stringify(Object.fromEntries(rest)) };
  // React Native's URLSearchParams is incomplete.
  const query = [...rest]
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&');
  return { target: query === '' ? target : `${target}?${query}` };
}

/** The body of a response of the API: always an object or a list. */
function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? (value ?? undefined) : undefined;
  } catch {
    return undefined;
  }
}

/** The number of seconds of a `Retry-After` header, which is a number or a date. */
function secondsOf(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const seconds = Number(header);
  const wait = Number.isNaN(seconds) ? (Date.parse(header) - Date.now()) / 1000 : seconds;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
