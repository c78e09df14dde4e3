import { testStack } from './stack.ts';

/** An answer of the service, its JSON read. */
export interface Answer<Body = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** Asks the running service, through Hosting, for a path below its base address. */
export async function get<Body = unknown>(
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer<Body>> {
  const answer = await fetch(`${testStack().baseAddress}${path}`, { headers });
  const text = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    body: (text === '' ? undefined : JSON.parse(text)) as Body,
  };
}
