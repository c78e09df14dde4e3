import { requireDocumented } from './documented.ts';
import { requireStarted, withCallLimit } from './callLimit.ts';
import { testStack } from './stack.ts';

/** A response of the service with its parsed JSON. */
export interface JsonResponse<Body = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** The parts of a request besides method and path. */
export interface CallOptions {
  readonly token?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** Calls the running service through Hosting, at a path below its base URL. */
export async function call<Body = unknown>(
  method: string,
  path: string,
  { token, body }: CallOptions = {},
): Promise<JsonResponse<Body>> {
  const name = `${method} ${path}`;
  const { response, text } = await withCallLimit(name, async (limit) => {
    const response = await fetch(`${testStack().baseAddress}${path}`, {
      method,
      headers: {
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: limit,
    });
    return { response, text: await response.text() };
  });
  requireStarted(name, (header) => response.headers.get(header), text);
  requireDocumented({
    method,
    path,
    status: response.status,
    header: (name) => response.headers.get(name),
    text,
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (text === '' ? undefined : JSON.parse(text)) as Body,
  };
}

/** Sends a GET to a path below the base URL. */
export async function get<Body = unknown>(path: string): Promise<JsonResponse<Body>> {
  return call<Body>('GET', path);
}
