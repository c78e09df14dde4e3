import { randomBytes } from 'node:crypto';
import zlib, { gunzipSync } from 'node:zlib';
import { ListTooLargeError, serializeBody } from './serializeBody.ts';

test.each([
  { name: 'a body of less than 1 KiB', size: 1023, useGzip: true },
  { name: 'a body for a client that does not accept gzip', size: 1024, useGzip: false },
])('does not compress $name', async ({ size, useGzip }) => {
  const body = await serializeBody(() => 'x'.repeat(size), Promise.resolve(), { useGzip });

  expect(body).toMatchObject({ isGzipped: false, uncompressedSize: size });
  expect(body.bytes.toString()).toBe('x'.repeat(size));
});

test.each([
  { name: 'a body of 1 KiB', size: 1024, isSynchronous: true },
  { name: 'a body of 256 KiB', size: 256 * 1024, isSynchronous: true },
  {
    name: 'a body of more than 256 KiB, in the thread pool',
    size: 256 * 1024 + 1,
    isSynchronous: false,
  },
])('compresses $name', async ({ size, isSynchronous }) => {
  const gzipSync = jest.spyOn(zlib, 'gzipSync');
  const body = await serializeBody(() => 'x'.repeat(size), Promise.resolve(), { useGzip: true });

  expect(body).toMatchObject({ isGzipped: true, uncompressedSize: size });
  expect(gzipSync).toHaveBeenCalledTimes(isSynchronous ? 1 : 0);
  expect(gunzipSync(body.bytes).toString()).toBe('x'.repeat(size));
});

/** Yields the batches of a list one by one. */
async function* yieldBatches(...batches: readonly string[][]) {
  for (const batch of batches) yield await Promise.resolve(batch);
}

test.each([
  { batches: [], json: '[]' },
  { batches: [[]], json: '[]' },
  { batches: [['a']], json: '["a"]' },
  { batches: [[], ['a', 'b'], [], ['ç'], []], json: '["a","b","ç"]' },
])('joins the batches $batches into one compressed list', async ({ batches, json }) => {
  const body = await serializeBody(JSON.stringify, yieldBatches(...batches), { useGzip: false });

  expect(body).toMatchObject({ isGzipped: true, uncompressedSize: Buffer.byteLength(json) });
  expect(gunzipSync(body.bytes).toString()).toBe(json);
});

test('rejects if a batch cannot be serialized', async () => {
  const serialize = () => {
    throw new Error('Not serializable.');
  };

  await expect(serializeBody(serialize, yieldBatches(['a']), { useGzip: true })).rejects.toThrow(
    'Not serializable.',
  );
});

test('stops reading a list that is too large even compressed', async () => {
  const noise = randomBytes(6 * 1024 * 1024).toString('base64');
  let batches = 0;
  let isClosed = false;
  async function* yieldForever() {
    try {
      for (;;) {
        batches += 1;
        yield await Promise.resolve([`${batches}${noise}`]);
      }
    } finally {
      isClosed = true;
    }
  }

  const result = serializeBody(JSON.stringify, yieldForever(), { useGzip: true });

  await expect(result).rejects.toThrow(ListTooLargeError);
  expect(isClosed).toBe(true);
  // Each batch has 6 MiB after compression, and some are in buffers.
  expect(batches).toBeGreaterThan(5);
  expect(batches).toBeLessThan(10);
});
