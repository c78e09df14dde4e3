import { setImmediate } from 'node:timers/promises';
import { logger } from 'firebase-functions/logger';
import { keptAnswer } from '../../functions/src/http/keptAnswer.ts';
import { emptyRecord, recorded, recordReads } from '../../functions/src/http/requestRecord.ts';

let name = 0;
let now = Date.UTC(2026, 0, 1);

beforeEach(() => {
  name += 1;
  process.env.PUBLIC_CACHE_SECONDS = '60';
  jest.spyOn(logger, 'info').mockImplementation(() => undefined);
  jest.spyOn(Date, 'now').mockImplementation(() => now);
});

afterEach(() => {
  jest.restoreAllMocks();
});

/** A list that can be asked for, and how often it was read. */
function source() {
  const reads: PromiseWithResolvers<unknown>[] = [];
  return {
    reads,
    /** Asks for the list; gives its text and when it was read. */
    ask: async () => {
      const record = emptyRecord();
      const { body, tag } = await recorded(record, () =>
        keptAnswer(`GET /list-${name}`, () => {
          recordReads(7);
          const read = Promise.withResolvers<unknown>();
          reads.push(read);
          return read.promise;
        }),
      );
      return { text: body.toString(), tag, readAt: record.readAt, counted: record.reads };
    },
  };
}

/** Waits until all that can go on has done so. */
async function pendingWork(): Promise<void> {
  await setImmediate();
}

function pass(seconds: number): void {
  now += seconds * 1000;
}

test('is read once, however many callers wait', async () => {
  const { ask, reads } = source();

  const asked = Array.from({ length: 50 }, ask);
  reads[0]?.resolve(['a']);
  const answers = await Promise.all(asked);

  expect(reads).toHaveLength(1);
  expect(new Set(answers.map(({ text }) => text))).toEqual(new Set(['["a"]']));
});

test('is read again before its time is over, and nobody waits for it', async () => {
  const { ask, reads } = source();
  const first = ask();
  reads[0]?.resolve(['old']);
  const { readAt } = await first;

  pass(44);
  expect(await ask()).toMatchObject({ text: '["old"]', readAt });
  expect(reads).toHaveLength(1);
  pass(2);
  expect(await ask()).toMatchObject({ text: '["old"]', readAt });
  expect(await ask()).toMatchObject({ text: '["old"]', readAt });
  expect(reads).toHaveLength(2);
  reads[1]?.resolve(['new']);
  await pendingWork();

  expect(await ask()).toMatchObject({ text: '["new"]', readAt: readAt + 46_000 });
});

test('is not sent when it is older than the parameter says', async () => {
  const { ask, reads } = source();
  const first = ask();
  reads[0]?.resolve(['old']);
  await first;

  pass(60);
  const late = ask();
  reads[1]?.resolve(['new']);

  expect(await late).toMatchObject({ text: '["new"]' });
});

test('waits for the refresh that is under way when its time is over meanwhile', async () => {
  const { ask, reads } = source();
  const first = ask();
  reads[0]?.resolve(['old']);
  await first;
  pass(50);
  await ask();
  pass(10);

  const late = Promise.all([ask(), ask()]);
  reads[1]?.resolve(['new']);

  expect((await late).map(({ text }) => text)).toEqual(['["new"]', '["new"]']);
  expect(reads).toHaveLength(2);
});

test('stays while a refresh fails, and the next caller starts another', async () => {
  const { ask, reads } = source();
  const first = ask();
  reads[0]?.resolve(['old']);
  await first;

  pass(50);
  expect((await ask()).text).toBe('["old"]');
  reads[1]?.reject(new Error('Firestore is away.'));
  await pendingWork();
  expect((await ask()).text).toBe('["old"]');
  expect(reads).toHaveLength(3);
});

test('tells every caller who waits that it could not be read, and the next one has it read', async () => {
  const { ask, reads } = source();

  const asked = Promise.allSettled([ask(), ask()]);
  reads[0]?.reject(new Error('Firestore is away.'));

  expect((await asked).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const again = ask();
  reads[1]?.resolve(['a']);
  expect((await again).text).toBe('["a"]');
});

test('costs nobody’s request anything: what it cost stands in a line of its own', async () => {
  const { ask, reads } = source();
  const asked = ask();
  reads[0]?.resolve(['a']);

  expect((await asked).counted).toBe(0);
  expect(logger.info).toHaveBeenCalledWith(`GET /list-${name} was read`, {
    firestoreReads: 7,
    bytes: 5,
    ms: 0,
  });
});

test('is read for each caller where nothing may be kept, at their cost', async () => {
  process.env.PUBLIC_CACHE_SECONDS = '0';
  const { ask, reads } = source();

  const asked = [ask(), ask()];
  for (const read of reads) read.resolve(['a']);
  const answers = await Promise.all(asked);

  expect(reads).toHaveLength(2);
  expect(answers.map(({ counted }) => counted)).toEqual([7, 7]);
});
