/** How many responses may be read at once: each takes several times its size in memory, up to some 12 MB. */
const MAX_READING = 24;

let reading = 0;
const waiting: (() => void)[] = [];

/** Reads a response, in order of arrival, when fewer than the maximum are being read. */
export async function inTurn<Result>(read: () => Promise<Result>): Promise<Result> {
  if (reading < MAX_READING) reading += 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await read();
  } finally {
    const next = waiting.shift();
    // The next one takes over the place of this one.
    if (next === undefined) reading -= 1;
    else next();
  }
}
