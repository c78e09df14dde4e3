import type { JsonBody } from './jsonBody.ts';

/** How many bytes of responses may be read at once: a response takes several times its size in memory meanwhile. */
const MAX_BYTES = 4 * 1024 * 1024;
/** How many responses may be read at once, whatever their size. */
const MIN_READING = 4;

let reading = 0;
const waiting: (() => void)[] = [];
/** The size to expect of a response: that of the recent ones, and a large one to begin with. */
let expectedBytes = 1024 * 1024;

/** Reads a response when few enough others are being read, in order of arrival. */
export async function limitConcurrentReads(read: () => Promise<JsonBody>): Promise<JsonBody> {
  await new Promise<void>((resolve) => {
    waiting.push(resolve);
    admit();
  });
  try {
    const body = await read();
    expectedBytes += (body.size - expectedBytes) / 8;
    return body;
  } finally {
    reading -= 1;
    admit();
  }
}

function admit(): void {
  while (reading < MIN_READING || (reading + 1) * expectedBytes <= MAX_BYTES) {
    const next = waiting.shift();
    if (next === undefined) return;
    reading += 1;
    next();
  }
}
