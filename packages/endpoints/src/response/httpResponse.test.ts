import express from 'express';
import type { Request } from 'firebase-functions/https';
import { jsonResponse, matchesETag } from './send.ts';

/** A request that accepts these encodings, as the framework makes it. */
function accepting(encodings?: string): Request {
  const headers = { 'accept-encoding': encodings };
  return Object.assign(Object.create(express.request) as Request, { headers });
}

test.each([
  ['compressed', ['gzip', 'br, gzip', 'gzip;q=0.5', 'GZIP', 'deflate, gzip;q=1.0, *;q=0.5', '*']],
  ['uncompressed', [undefined, '', 'identity', 'br', 'xgzipx']],
  ['uncompressed', ['gzip;q=0', 'gzip; q=0.000', 'gzip;q=0, br']],
])('a body is sent %s to callers who accept %j', (form, accepted) => {
  const isPacked = form === 'compressed';
  const packed = { bytes: Buffer.from('packed'), isGzipped: true, uncompressedSize: 1024 };
  for (const encodings of accepted) {
    const { headers, decompressedSize } = jsonResponse(accepting(encodings), packed, {});

    expect(headers.Vary).toBe('Accept-Encoding');
    expect(headers['Content-Encoding']).toBe(isPacked ? 'gzip' : undefined);
    expect(decompressedSize).toBe(isPacked ? undefined : 1024);
  }
});

test('a body beyond 32 MiB is not sent to callers who do not accept it compressed', () => {
  const respond = (uncompressedSize: number, encodings?: string) =>
    jsonResponse(
      accepting(encodings),
      { bytes: Buffer.of(), isGzipped: true, uncompressedSize: uncompressedSize },
      {},
    );

  expect(respond(2 ** 25)).toMatchObject({ decompressedSize: 2 ** 25 });
  expect(() => respond(2 ** 25 + 1)).toThrow('Accept-Encoding: gzip');
  expect(respond(2 ** 25 + 1, 'gzip')).toMatchObject({ status: 200 });
});

test.each([
  ['is', ['"a"', 'W/"a"', '"b", "a"', '"b",W/"a"', '*', ' "a" ']],
  ['is not', [undefined, '', 'a', '"b"', '"a', 'w/"a"', '"a" "b"', '"*"']],
])('the tag of a response %s matched by If-None-Match: %j', (is, headers) => {
  const isMatch = is === 'is';
  expect(headers.map((header) => matchesETag(header, 'W/"a"'))).toEqual(headers.map(() => isMatch));
});
