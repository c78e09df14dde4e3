import type { Request } from 'firebase-functions/https';
import { randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import * as z from 'zod';
import {
  compactBody,
  entityTag,
  jsonBody,
  jsonResponse,
  matchesTag,
  responseWriter,
  type JsonBody,
} from '../../functions/src/http/response.ts';
import { WrittenDocument } from '../../functions/src/writtenDocument.ts';

function bodyOf(text: string): JsonBody {
  return { identity: Buffer.from(text) };
}

/** A request that accepts these encodings. */
function accepting(encodings?: string): Request {
  return { headers: { 'accept-encoding': encodings } } as unknown as Request;
}

/** A body that is sent many times. */
async function packed(body: JsonBody) {
  const found = await compactBody(body);
  if (!('gzip' in found)) throw new Error('The body was not compressed.');
  return found;
}

describe('the body', () => {
  const Element = z.object({ id: z.string() });
  const write = responseWriter(z.array(Element));
  const written = (id: string, schema = Element) =>
    new WrittenDocument<{ id: string }>(schema, JSON.stringify({ id }));

  /** Yields the parts of a list one by one. */
  async function* parts(...lists: readonly object[][]) {
    for (const list of lists) yield await Promise.resolve(list);
  }

  test('has only the fields of the schema, at any depth, and documents as they were written', () => {
    const Page = z.object({ list: z.array(Element), one: Element, next: z.string().optional() });

    const list = [{ id: 'a', secret: 1 }, written('b')];
    const page = { list, one: written('c'), next: undefined, secret: 1 };
    expect(responseWriter(Page)(page)).toBe('{"list":[{"id":"a"},{"id":"b"}],"one":{"id":"c"}}');
  });

  test.each<[string, unknown]>([
    ['a value of a wrong type', [{ id: 7 }]],
    ['a document of another schema', [written('a', z.object({ id: z.string() }))]],
    ['no list', undefined],
  ])('is refused if it has %s', (_what, list) => {
    expect(() => write(list)).toThrow();
  });

  test('cannot be made from a schema whose checks would be ignored', () => {
    expect(() => responseWriter(z.array(Element.refine(() => false)))).toThrow('checks');
    expect(() => responseWriter(z.array(Element).min(1))).toThrow('checks');
    expect(() => responseWriter(z.looseObject({}))).toThrow('catchall');
  });

  test.each<[string[][], string]>([
    [[], '[]'],
    [[[]], '[]'],
    [[['a']], '[{"id":"a"}]'],
    [[[], ['a', 'b'], [], ['ç'], []], '[{"id":"a"},{"id":"b"},{"id":"ç"}]'],
  ])('joins the parts %j into one compressed list', async (lists, expected) => {
    const read = parts(...lists.map((ids) => ids.map((id) => written(id))));

    const body = await jsonBody(write, read);
    expect(body).toEqual({
      gzip: expect.any(Buffer) as Buffer,
      size: Buffer.byteLength(expected),
      tag: entityTag(bodyOf(expected)),
    });
    expect('gzip' in body && gunzipSync(body.gzip).toString()).toBe(expected);
  });

  test('fails if a part violates the schema', async () => {
    await expect(jsonBody(write, parts([{ id: 'a' }], [{ id: 7 }]))).rejects.toThrow();
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
      expect(gunzipSync(body ?? '').toString()).toBe('x'.repeat(1024));
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
    expect(body?.toString()).toBe('x'.repeat(1024));
  });

  test('is not used below 1 KiB', async () => {
    const { headers, body } = await jsonResponse(accepting('gzip'), small, {});

    expect(headers).not.toHaveProperty('Content-Encoding');
    expect(body?.toString()).toBe('x'.repeat(1023));
    expect(await compactBody(small)).toEqual(small);
  });

  test('is done once for a body that is sent many times, which takes no more memory than its bytes', async () => {
    const body = await packed(bodyOf(randomBytes(10_000).toString('hex')));

    expect(body.gzip.buffer.byteLength).toBe(body.gzip.length);
    expect(await compactBody(body)).toBe(body);
    expect((await jsonResponse(accepting('gzip'), body, {})).body).toBe(body.gzip);
  });

  test('is undone for a caller who does not accept it, up to 32 MiB', async () => {
    const body = await packed(large);
    const [most, tooMuch] = [2 ** 25, 2 ** 25 + 1].map((size) => ({ ...body, size }));

    const response = await jsonResponse(accepting(), most as JsonBody, {});
    expect(response).toMatchObject({ body: body.gzip, unpackedSize: 2 ** 25 });
    expect(response.headers).not.toHaveProperty('Content-Encoding');
    await expect(jsonResponse(accepting(), tooMuch as JsonBody, {})).rejects.toMatchObject({
      code: 'not-acceptable',
    });
    expect(await jsonResponse(accepting('gzip'), tooMuch as JsonBody, {})).toMatchObject({
      status: 200,
    });
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
    expect(entityTag(await compactBody(body))).toBe(entityTag(body));
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
