import type { Request } from 'firebase-functions/https';
import { gunzipSync } from 'node:zlib';
import * as z from 'zod';
import {
  entityTag,
  jsonBody,
  jsonResponse,
  matchesTag,
  withGzip,
  type JsonBody,
} from '../../functions/src/http/response.ts';

function bodyOf(text: string): JsonBody {
  return { identity: Buffer.from(text) };
}

/** A request that accepts these encodings. */
function accepting(encodings?: string): Request {
  return { headers: { 'accept-encoding': encodings } } as unknown as Request;
}

describe('the body', () => {
  const Element = z.object({ id: z.string() });

  /** Yields the parts of a list one by one. */
  async function* parts(...lists: readonly object[][]) {
    for (const list of lists) yield await Promise.resolve(list);
  }

  test('has only the fields of the schema', async () => {
    const { identity } = await jsonBody(Element, Promise.resolve({ id: 'a', secret: 'x' }));

    expect(identity.toString()).toBe('{"id":"a"}');
  });

  test.each<[string[][], string]>([
    [[], '[]'],
    [[[]], '[]'],
    [[['a']], '[{"id":"a"}]'],
    [[[], ['a', 'b'], [], ['c'], []], '[{"id":"a"},{"id":"b"},{"id":"c"}]'],
  ])('joins the parts %j into one list', async (lists, expected) => {
    const read = parts(...lists.map((ids) => ids.map((id) => ({ id, secret: 'x' }))));

    expect((await jsonBody(z.array(Element), read)).identity.toString()).toBe(expected);
  });

  test('fails if a part violates the schema', async () => {
    await expect(jsonBody(z.array(Element), parts([{ id: 'a' }], [{ id: 7 }]))).rejects.toThrow();
  });
});

describe('compression', () => {
  const small = bodyOf('x'.repeat(1023));
  const large = bodyOf('x'.repeat(1024));

  test.each(['gzip', 'br, gzip', 'gzip;q=0.5', 'GZIP', 'deflate, gzip;q=1.0, *;q=0.5'])(
    'is used from 1 KiB on for “%s”',
    async (encodings) => {
      const { headers, body } = await jsonResponse(accepting(encodings), large, {});

      expect(headers).toMatchObject({ 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' });
      expect(gunzipSync(body ?? '')).toEqual(large.identity);
    },
  );

  test.each([
    undefined,
    '',
    'identity',
    'br',
    'gzip;q=0',
    'gzip; q=0.000',
    'gzip;q=0, br',
    'xgzipx',
  ])('is not used for “%s”, but Vary names Accept-Encoding', async (encodings) => {
    const { headers, body } = await jsonResponse(accepting(encodings), large, {});

    expect(headers).not.toHaveProperty('Content-Encoding');
    expect(headers).toMatchObject({ Vary: 'Accept-Encoding' });
    expect(body).toEqual(large.identity);
  });

  test('is not used below 1 KiB', async () => {
    const { headers, body } = await jsonResponse(accepting('gzip'), small, {});

    expect(headers).not.toHaveProperty('Content-Encoding');
    expect(body).toEqual(small.identity);
    expect(await withGzip(small)).toEqual(small);
  });

  test('is done once for a body that is sent many times', async () => {
    const shared = await withGzip(large);

    const sent = [];
    for (let time = 0; time < 2; time += 1) {
      sent.push((await jsonResponse(accepting('gzip'), shared, {})).body);
    }

    expect(sent[0]).toBe(shared.gzip);
    expect(sent[1]).toBe(shared.gzip);
  });
});

describe('the entity tag', () => {
  test('is equal only for equal bodies', () => {
    expect(entityTag(bodyOf('[]'))).toBe(entityTag(bodyOf('[]')));
    expect(entityTag(bodyOf('[]'))).not.toBe(entityTag(bodyOf('{}')));
  });

  test('is weak, and independent of compression', async () => {
    const body = bodyOf('x'.repeat(2000));

    expect(entityTag(body)).toMatch(/^W\/"[\w-]+"$/);
    expect(entityTag(await withGzip(body))).toBe(entityTag(body));
  });

  test.each(['"a"', 'W/"a"', '"b", "a"', '"b",W/"a"', '*', ' "a" '])(
    'matches If-None-Match: %s',
    (header) => {
      expect(matchesTag(header, 'W/"a"')).toBe(true);
    },
  );

  test.each([undefined, '', 'a', '"b"', '"a', 'w/"a"', '"a" "b"', '"*"'])(
    'does not match If-None-Match: %s',
    (header) => {
      expect(matchesTag(header, 'W/"a"')).toBe(false);
    },
  );
});
