/** The bodies of responses: only the fields that their schemas describe ever leave the service. */
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip, gzip, gzipSync } from 'node:zlib';
import * as z from 'zod';
import { withoutWrappers } from '../wrappers.ts';
import { isWrite, type Declaration } from './declaration.ts';

/** The largest response that the platform sends, in bytes (https://cloud.google.com/run/quotas). */
export const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;

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
}

/**
 * Serializes a handler's output to JSON, gzipped if `useGzip` is set and the body is not small. A
 * list that the handler yields in batches is always gzipped, batch by batch. Bodies up to 256 KiB
 * are gzipped synchronously: for 5 to 27 kB, handing the work to the thread pool took 0.3 to 0.4 ms
 * of CPU time, gzipping it here 0.03 to 0.09 ms.
 */
export async function jsonBody(
  write: ResponseWriter,
  output: Promise<unknown> | AsyncIterable<unknown>,
  level: number | undefined,
): Promise<JsonBody> {
  if (Symbol.asyncIterator in output) return compressedList(write, output);
  const bytes = Buffer.from(write(await output));
  const size = bytes.length;
  if (level === undefined || size < MIN_COMPRESSED_BYTES) {
    return { bytes, isCompressed: false, size };
  }
  const compress = size > MAX_BYTES_AT_ONCE ? compressAside : gzipSync;
  return { bytes: await compress(bytes, { level }), isCompressed: true, size };
}

/**
 * Thrown if a list exceeds the platform's response limit even when gzipped. The message is only
 * logged.
 */
export class ListTooLarge extends Error {
  constructor() {
    super(
      `The list has more than ${MAX_RESPONSE_BYTES} bytes even compressed, which the platform does not send. Shorten it, or read it in pages.`,
    );
  }
}

/**
 * Serializes and gzips a list batch by batch, so that only one batch and the gzipped output are in
 * memory, and other requests can run in between. Stops reading and throws `ResponseTooLargeError`
 * if the output is too large.
 */
async function compressedList(
  write: ResponseWriter,
  parts: AsyncIterable<unknown>,
): Promise<JsonBody> {
  async function* pieces() {
    let before = '[';
    for await (const part of parts) {
      const elements = write(part).slice(1, -1);
      if (!elements) continue;
      yield before + elements;
      before = ',';
    }
    yield before === '[' ? '[]' : ']';
  }
  const zipped = createGzip();
  const chunks: Buffer[] = [];
  let length = 0;
  await pipeline(pieces, zipped, async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > MAX_RESPONSE_BYTES) throw new ListTooLarge();
    }
  });
  return { bytes: Buffer.concat(chunks), isCompressed: true, size: zipped.bytesWritten };
}

/** Writes a handler's output, or a part of it, as JSON. */
export type ResponseWriter = (output: unknown) => string;

/**
 * Makes the writer for the response of an endpoint. It selects the fields that the schema names, at every level, without
 * validating their values again. Throws for a value of another kind than the schema's; the message is for the log.
 */
export function responseWriter(
  declaration: Pick<Declaration, 'method' | 'path' | 'response'>,
): ResponseWriter {
  const select = selector(declaration.response, 'response');
  return (output) => {
    try {
      return JSON.stringify(select(output));
    } catch (cause) {
      const { method, path } = declaration;
      const written = isWrite(declaration) ? ' Writes of this request were not rolled back.' : '';
      const what = cause instanceof TypeError ? cause.message : 'a field is not valid';
      throw new Error(
        `${method} ${path} returned a response that does not match its schema: ${what}.${written}`,
        { cause },
      );
    }
  };
}

/** Copies the fields that a schema declares. Throws if the value has another type. */
type Selector = (value: unknown) => unknown;

function selector(schema: z.core.$ZodType, path: string): Selector {
  const type = withoutWrappers(schema);
  if (type !== schema) {
    const select = selector(type, path);
    return (value) => (value === undefined ? undefined : select(value));
  }
  if (schema instanceof z.ZodArray) {
    const select = selector(schema.element, `${path}[]`);
    return (value) => {
      if (!Array.isArray(value)) throw mismatch(path);
      return value.map(select);
    };
  }
  if (schema instanceof z.ZodObject && schema.def.catchall === undefined) {
    return membersSelector(schema, path);
  }
  const kind: string = schema._zod.def.type;
  // Other kinds, such as records, may contain objects: zod leaves out what they do not name.
  if (!['string', 'number', 'boolean'].includes(kind)) return (value) => z.parse(schema, value);
  return (value) => {
    if (typeof value !== kind) throw mismatch(path);
    return value;
  };
}

function membersSelector(schema: z.ZodObject, path: string): Selector {
  const members = Object.entries<z.core.$ZodType>(schema.shape).map(([name, member]) => ({
    name,
    select: selector(member, `${path}.${name}`),
  }));
  return (value) => {
    if (typeof value !== 'object' || value === null) throw mismatch(path);
    const selected: Record<string, unknown> = {};
    for (const { name, select } of members) {
      const member = select((value as Readonly<Record<string, unknown>>)[name]);
      if (member !== undefined) selected[name] = member;
    }
    return selected;
  };
}

function mismatch(path: string): Error {
  return new TypeError(`${path} has the wrong type`);
}
