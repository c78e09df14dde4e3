import type { Request } from 'firebase-functions/https';
import { gunzipSync } from 'node:zlib';
import { jsonBody, type JsonBody } from '../../functions/src/http/jsonBody.ts';
import { jsonResponse, matchesTag } from '../../functions/src/http/response.ts';

/** The body with this JSON. */
async function bodyOf(json: string, level?: number): Promise<JsonBody> {
  return jsonBody(() => json, Promise.resolve(), { level, isTagged: true });
}

/** A request that accepts these encodings. */
function accepting(encodings?: string): Request {
  return { headers: { 'accept-encoding': encodings } } as unknown as Request;
}

describe('a list in parts', () => {
  /** Yields the parts of a list one by one. */
  async function* parts(...lists: readonly string[][]) {
    for (const list of lists) yield await Promise.resolve(list);
  }

  test.each([
    [[], '[]'],
    [[[]], '[]'],
    [[['a']], '["a"]'],
    [[[], ['a', 'b'], [], ['ç'], []], '["a","b","ç"]'],
  ])(
    '%j is joined into one compressed, tagged list, whatever is asked for',
    async (lists, json) => {
      const body = await jsonBody(JSON.stringify, parts(...lists), { isTagged: false });

      expect(body).toMatchObject({ isCompressed: true, size: Buffer.byteLength(json) });
      expect(body.tag).toBe((await bodyOf(json)).tag);
      expect(gunzipSync(body.bytes).toString()).toBe(json);
    },
  );

  test('fails if a part cannot be written', async () => {
    const write = (part: unknown) => {
      throw new Error(`${JSON.stringify(part)} does not fit`);
    };

    const body = jsonBody(write, parts(['a']), { isTagged: false });
    await expect(body).rejects.toThrow('["a"] does not fit');
  });
});

describe('compression', () => {
  const large = 'x'.repeat(1024);

  test.each([
    [true, ['gzip', 'br, gzip', 'gzip;q=0.5', 'GZIP', 'deflate, gzip;q=1.0, *;q=0.5']],
    [false, [undefined, '', 'identity', 'br', 'xgzipx']],
    [false, ['gzip;q=0', 'gzip; q=0.000', 'gzip;q=0, br']],
  ])('is accepted: %s by Accept-Encoding: %j', async (isAccepted, accepted) => {
    const packed = await bodyOf(large, 1);
    for (const encodings of accepted) {
      const { headers, body, unpackedSize } = jsonResponse(accepting(encodings), packed, {});

      expect(headers.Vary).toBe('Accept-Encoding');
      expect(headers['Content-Encoding']).toBe(isAccepted ? 'gzip' : undefined);
      expect(unpackedSize).toBe(isAccepted ? undefined : 1024);
      expect(gunzipSync(body ?? '').toString()).toBe(large);
    }
  });

  test.each([
    ['below 1 KiB', 1023, 1, false],
    ['unless it is asked for', 1024, undefined, false],
    ['at once up to 256 KiB', 256 * 1024, 1, true],
    ['aside beyond', 256 * 1024 + 1, 1, true],
  ])('is used or not: %s', async (_what, size, level, isCompressed) => {
    const body = await bodyOf('x'.repeat(size), level);

    expect(body).toMatchObject({ isCompressed, size });
    const bytes = isCompressed ? gunzipSync(body.bytes) : body.bytes;
    expect(bytes.toString()).toBe('x'.repeat(size));
  });

  test('is undone for a caller who does not accept it, up to 32 MiB', async () => {
    const packed = await bodyOf(large, 1);
    const { bytes } = packed;
    const respond = (size: number, encodings?: string) =>
      jsonResponse(accepting(encodings), { ...packed, size }, {});

    expect(respond(2 ** 25)).toMatchObject({ body: bytes, unpackedSize: 2 ** 25 });
    expect(() => respond(2 ** 25 + 1)).toThrow('Accept-Encoding: gzip');
    expect(respond(2 ** 25 + 1, 'gzip')).toMatchObject({ status: 200 });
  });
});

describe('the entity tag', () => {
  test('is weak, equal only for equal bodies, and independent of compression', async () => {
    const tagOf = async (json: string, level?: number) => (await bodyOf(json, level)).tag;
    const tag = await tagOf('x'.repeat(2000));

    expect(tag).toMatch(/^W\/"[\w-]+"$/);
    expect(await tagOf('x'.repeat(2000), 1)).toBe(tag);
    expect(await tagOf('{}')).not.toBe(tag);
  });

  test.each([
    [true, ['"a"', 'W/"a"', '"b", "a"', '"b",W/"a"', '*', ' "a" ']],
    [false, [undefined, '', 'a', '"b"', '"a', 'w/"a"', '"a" "b"', '"*"']],
  ])('is matched by If-None-Match: %s for %j', (isMatch, headers) => {
    expect(headers.map((header) => matchesTag(header, 'W/"a"'))).toEqual(
      headers.map(() => isMatch),
    );
  });
});
