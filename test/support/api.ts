import { requireDocumented } from './documented.ts';
import { requireStarted, withCallLimit } from './callLimit.ts';
import { testStack } from './stack.ts';

/** A response of the service with its parsed JSON. */
export interface Answer<Body = unknown> {
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
): Promise<Answer<Body>> {
  const name = `${method} ${path}`;
  const { answer, text } = await withCallLimit(name, async (limit) => {
    const answer = await fetch(`${testStack().baseAddress}${path}`, {
      method,
      headers: {
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: limit,
    });
    return { answer, text: await answer.text() };
  });
  requireStarted(name, (header) => answer.headers.get(header), text);
  requireDocumented({
    method,
    path,
    status: answer.status,
    header: (name) => answer.headers.get(name),
    text,
  });
  return {
    status: answer.status,
    headers: answer.headers,
    body: (text === '' ? undefined : JSON.parse(text)) as Body,
  };
}

/** Sends a GET to a path below the base URL. */
export async function get<Body = unknown>(path: string): Promise<Answer<Body>> {
  return call<Body>('GET', path);
}
