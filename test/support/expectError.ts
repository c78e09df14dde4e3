import type { RawResponse } from './rawRequest.ts';
/** Expects an error response: only `{message}`, not cacheable, and without details of the server. */
export function expectError(response: RawResponse, status: number, message: string | RegExp): void {
  expect(response.status).toBe(status);
  const expected: unknown = message instanceof RegExp ? expect.stringMatching(message) : message;
  expect(JSON.parse(response.text)).toEqual({ message: expected });
  expect(response.headers).toMatchObject({
    'content-type': expect.stringMatching(/^application\/json/) as string,
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/) as string,
    'access-control-allow-origin': '*',
  });
}
