/** Which fields leave the service: those that the schema of the response names, at any depth. And how they are packed. */
import { randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import * as z from 'zod';
import { serializeBody, ResponseTooLargeError, createSerializer } from './serialize.ts';

const Inner = z.object({ b: z.string() });

function writerOf(response: z.ZodType, method: 'GET' | 'PUT' = 'GET') {
  return createSerializer({ method, path: '/flash', response });
}

test.each<[string, z.ZodType, unknown, unknown]>([
  ['an object', Inner, { b: 'x', secret: 1 }, { b: 'x' }],
  ['a list', z.array(Inner), [{ b: 'x', secret: 1 }], [{ b: 'x' }]],
  [
    'an optional member',
    z.object({ a: Inner.optional() }),
    { a: { b: 'x', secret: 1 } },
    { a: { b: 'x' } },
  ],
  ['a missing member', z.object({ a: Inner.optional() }), { secret: 1 }, {}],
  [
    'a required one that is missing all the same',
    z.object({ a: Inner.optional() }).required({ a: true }),
    { secret: 1 },
    {},
  ],
  [
    'members with defaults',
    z.object({ a: z.object({ b: Inner.prefault({ b: '' }), c: z.int().default(1) }).prefault({}) }),
    { a: { b: { b: 'x', secret: 1 }, c: 7, secret: 1 } },
    { a: { b: { b: 'x' }, c: 7 } },
  ],
  [
    'lists in optional members',
    z.object({ a: z.array(Inner).optional() }),
    { a: [{ b: 'x', secret: 1 }] },
    { a: [{ b: 'x' }] },
  ],
  // These kinds are parsed.
  ['a union', z.union([z.array(Inner), Inner]), { b: 'x', secret: 1 }, { b: 'x' }],
  [
    'a nullable object',
    z.array(Inner.nullable()),
    [null, { b: 'x', secret: 1 }],
    [null, { b: 'x' }],
  ],
  ['an object with further fields', z.looseObject({}), { more: 1 }, { more: 1 }],
  ['a record', z.record(z.string(), Inner), { a: { b: 'x', secret: 1 } }, { a: { b: 'x' } }],
])('serializes only the declared fields of %s', (_what, schema, output, expected) => {
  expect(writerOf(schema)(output)).toBe(JSON.stringify(expected));
});

test.each<[string, unknown]>([
  ['response.list', { list: {} }],
  ['response.list[]', { list: ['text'] }],
  ['response.list[]', { list: [null] }],
  ['response.list[].b', { list: [{}] }],
  ['response.list[].b', { list: [{ b: { secret: 1 } }] }],
  ['response', undefined],
])('names %s as the place where a response does not fit its schema', (place, output) => {
  const write = writerOf(z.object({ list: z.array(Inner) }));

  expect(() => write(output)).toThrow(
    `GET /flash returned a response that does not match its schema: ${place} has the wrong type.`,
  );
});

test('adds that the writes were not rolled back', () => {
  expect(() => writerOf(Inner, 'PUT')({})).toThrow(
    'PUT /flash returned a response that does not match its schema: response.b has the wrong type. Writes of this request were not rolled back.',
  );
});

test.each([
  [1023, 1, 'is not'],
  [1024, 1, 'is'],
  [1024, undefined, 'is not'],
  // On another thread.
  [256 * 1024 + 1, 1, 'is'],
])('a body of %i bytes with the level %j %s compressed', async (size, level, is) => {
  const isGzipped = is === 'is';
  const body = await serializeBody(() => 'x'.repeat(size), Promise.resolve(), level);

  expect(body).toMatchObject({ isGzipped, uncompressedSize: size });
  const bytes = isGzipped ? gunzipSync(body.bytes) : body.bytes;
  expect(bytes.toString()).toBe('x'.repeat(size));
});

/** Yields the parts of a list one by one. */
async function* parts(...lists: readonly string[][]) {
  for (const list of lists) yield await Promise.resolve(list);
}

test.each([
  [[], '[]'],
  [[[]], '[]'],
  [[['a']], '["a"]'],
  [[[], ['a', 'b'], [], ['ç'], []], '["a","b","ç"]'],
])('the parts %j of a list are joined into one compressed list', async (lists, json) => {
  const body = await serializeBody(JSON.stringify, parts(...lists), undefined);

  expect(body).toMatchObject({ isGzipped: true, uncompressedSize: Buffer.byteLength(json) });
  expect(gunzipSync(body.bytes).toString()).toBe(json);
});

test('a list fails if a part cannot be written', async () => {
  const write = () => {
    throw new Error('Why.');
  };

  await expect(serializeBody(write, parts(['a']), 1)).rejects.toThrow('Why.');
});

test('a list is read no further once it is too large to be sent, even compressed', async () => {
  const noise = randomBytes(6 * 1024 * 1024).toString('base64');
  let [parts, isClosed] = [0, false];
  async function* endless() {
    try {
      for (;;) {
        parts += 1;
        yield await Promise.resolve([`${parts}${noise}`]);
      }
    } finally {
      isClosed = true;
    }
  }

  await expect(serializeBody(JSON.stringify, endless(), 1)).rejects.toThrow(ResponseTooLargeError);

  expect(isClosed).toBe(true);
  // 6 MiB each after compression, and some are under way.
  expect(parts).toBeGreaterThan(5);
  expect(parts).toBeLessThan(10);
});
