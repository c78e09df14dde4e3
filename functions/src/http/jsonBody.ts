import { createHash, hash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip, gzip, gzipSync } from 'node:zlib';
import type { ResponseWriter } from './responseWriter.ts';

/** Smaller bodies are not compressed, in bytes: they would not need fewer packets. */
const MIN_COMPRESSED_BYTES = 1024;
/** Larger bodies are compressed on another thread, in bytes: other requests must not wait for them. */
const MAX_BYTES_AT_ONCE = 256 * 1024;
const compressAside = promisify(gzip);

/** A serialized JSON body. */
export interface JsonBody {
  readonly bytes: Buffer;
  readonly isCompressed: boolean;
  /** The size before compression, in bytes. */
  readonly size: number;
  readonly tag?: string | undefined;
}

/** How a body is sent. */
export interface Encoding {
  /** The level of compression with gzip, from 1 to 9; without one it is not compressed. */
  readonly level?: number | undefined;
  /** Whether it gets an entity tag. */
  readonly isTagged: boolean;
}

/**
 * Serializes a handler's output. A list that comes in parts is compressed as they arrive, and always tagged. Small
 * bodies are compressed on this thread: handing 5 to 27 kB to another one took 0.3 to 0.4 ms of processor time in a hot
 * loop, compressing them here 0.03 to 0.09.
 */
export async function jsonBody(
  write: ResponseWriter,
  output: Promise<unknown> | AsyncIterable<unknown>,
  { level, isTagged }: Encoding,
): Promise<JsonBody> {
  if (Symbol.asyncIterator in output) return compressedList(write, output);
  const plain = Buffer.from(write(await output));
  const size = plain.length;
  // It cannot be told from the compressed bytes.
  const tag = isTagged ? tagOf(hash('sha1', plain, 'base64url')) : undefined;
  if (level === undefined || size < MIN_COMPRESSED_BYTES) {
    return { bytes: plain, isCompressed: false, size, tag };
  }
  const compress = size > MAX_BYTES_AT_ONCE ? compressAside : gzipSync;
  return { bytes: await compress(plain, { level }), isCompressed: true, size, tag };
}

/** Only one part is in memory at a time, besides what is compressed. Other requests can run between the parts. */
async function compressedList(
  write: ResponseWriter,
  parts: AsyncIterable<unknown>,
): Promise<JsonBody> {
  const hashed = createHash('sha1');
  let size = 0;
  function counted(text: string): Buffer {
    const bytes = Buffer.from(text);
    hashed.update(bytes);
    size += bytes.length;
    return bytes;
  }
  async function* pieces() {
    let before = '[';
    for await (const part of parts) {
      const elements = write(part).slice(1, -1);
      if (!elements) continue;
      yield counted(before + elements);
      before = ',';
    }
    yield counted(before === '[' ? '[]' : ']');
  }
  const chunks = await pipeline(pieces, createGzip(), (zipped: AsyncIterable<Buffer>) =>
    Array.fromAsync(zipped),
  );
  const tag = tagOf(hashed.digest('base64url'));
  return { bytes: Buffer.concat(chunks), isCompressed: true, size, tag };
}

/** An entity tag (RFC 9110, section 8.8.3). It is weak because the body may be compressed or not. */
function tagOf(digest: string): string {
  return `W/"${digest}"`;
}
