import express from 'express';
import type { Request } from 'firebase-functions/https';
import { createCacheableResponse, createJsonResponse } from './httpResponse.ts';

/** Creates a request like the framework, with this `Accept-Encoding`. */
function createRequest(encodings?: string): Request {
  const headers = { 'accept-encoding': encodings };
  return Object.assign(Object.create(express.request) as Request, { headers });
}

/** Returns the status of a cacheable response with the entity tag W/"a". */
function respondToTag(ifNoneMatch: string | undefined): number {
  const request = createRequest();
  const headers = { ...request.headers, 'if-none-match': ifNoneMatch };
  const body = { bytes: Buffer.from('a'), isGzipped: false, uncompressedSize: 1 };
  const tagged = { body, etag: 'W/"a"', readAt: performance.now() };
  return createCacheableResponse(Object.assign(request, { headers }), tagged, 0).status;
}

/** Creates the response with a gzipped body to a client that accepts these encodings. */
function respond(uncompressedSize: number, encodings?: string) {
  const body = { bytes: Buffer.from('gzipped'), isGzipped: true, uncompressedSize };
  return createJsonResponse(createRequest(encodings), body, {});
}

test.each(['gzip', 'br, gzip', 'gzip;q=0.5', 'GZIP', 'deflate, gzip;q=1.0, *;q=0.5', '*'])(
  'sends a gzipped body without decompressing it with Accept-Encoding: %s',
  (encodings) => {
    const { headers, decompressedSize } = respond(1024, encodings);

    expect(headers).toMatchObject({ Vary: 'Accept-Encoding', 'Content-Encoding': 'gzip' });
    expect(decompressedSize).toBeUndefined();
  },
);

test.each([undefined, '', 'identity', 'br', 'xgzipx', 'gzip;q=0', 'gzip; q=0.000', 'gzip;q=0, br'])(
  'sends a gzipped body decompressed with Accept-Encoding: %s',
  (encodings) => {
    const { headers, decompressedSize } = respond(1024, encodings);

    expect(headers.Vary).toBe('Accept-Encoding');
    expect(headers).not.toHaveProperty('Content-Encoding');
    expect(decompressedSize).toBe(1024);
  },
);

test('sends a body beyond 32 MiB only to clients that accept gzip', () => {
  expect(respond(2 ** 25)).toMatchObject({ decompressedSize: 2 ** 25 });
  expect(() => respond(2 ** 25 + 1)).toThrow('Accept-Encoding: gzip');
  expect(respond(2 ** 25 + 1, 'gzip')).toMatchObject({ status: 200 });
});

test.each(['"a"', 'W/"a"', '"b", "a"', '"b",W/"a"', '*', ' "a" '])(
  'the entity tag W/"a" matches If-None-Match: %s',
  (header) => {
    expect(respondToTag(header)).toBe(304);
  },
);

test.each([undefined, '', 'a', '"b"', '"a', 'w/"a"', '"a" "b"', '"*"'])(
  'the entity tag W/"a" does not match If-None-Match: %s',
  (header) => {
    expect(respondToTag(header)).toBe(200);
  },
);
