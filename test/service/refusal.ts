import type { RawResponse } from '../../dev/shared/rawRequest.ts';

/** Expects that an error response has the headers of one, and only a message in its body; returns the message. */
export function expectRefusal({ status, headers, text }: RawResponse): string {
  expect(headers).toMatchObject({
    'content-type': expect.stringMatching(/^application\/json/) as string,
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/) as string,
    'access-control-allow-origin': '*',
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    ...(status === 405 && { allow: expect.stringMatching(/OPTIONS$/) as string }),
  });
  const { message, ...rest } = JSON.parse(text) as { message: string };
  expect(rest).toEqual({});
  return message;
}
