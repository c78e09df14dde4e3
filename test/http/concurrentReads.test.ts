import { setImmediate } from 'node:timers/promises';
import { limitConcurrentReads } from '../../functions/src/http/concurrentReads.ts';

/** Starts reads of responses of a size, all of which wait until the test ends them; the second of them fails. */
function readsOf(number: number, bytes: number) {
  const gate = Promise.withResolvers<undefined>();
  let started = 0;
  const reads = Array.from({ length: number }, async (_, index) =>
    limitConcurrentReads(async () => {
      started += 1;
      await gate.promise;
      if (index === 1) throw new Error('The read failed.');
      return { bytes: Buffer.alloc(0), isCompressed: true, size: bytes };
    }),
  );
  return {
    started: () => started,
    end: async () => {
      gate.resolve(undefined);
      await Promise.allSettled(reads);
    },
  };
}

test.each([
  ['many small', 80, 10_000, 80],
  ['few large', 80, 5_000_000, 4],
])(
  '%s responses are read at once, and all others after them',
  async (...[, number, bytes, expected]) => {
    // The size to expect is that of recent responses.
    await readsOf(60, bytes).end();

    const reads = readsOf(number, bytes);
    await setImmediate();
    expect(reads.started()).toBe(expected);
    await reads.end();
    expect(reads.started()).toBe(number);
  },
);
