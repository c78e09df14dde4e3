import { setTimeout as delay } from 'node:timers/promises';
import { Backoff, FirestoreError } from './index.ts';

jest.mock('node:timers/promises', () => ({ setTimeout: jest.fn() }));

/** The waits after errors with these statuses, in ms, where so much of what is random is used. */
async function waitsAfter(random: number, ...statuses: readonly string[]): Promise<unknown[]> {
  jest.mocked(delay).mockReset();
  jest.spyOn(Math, 'random').mockReturnValue(random);
  const backoff = new Backoff();
  const { signal } = new AbortController();
  for (const status of statuses) await backoff.wait(new FirestoreError(status, 'Why.'), signal);
  return jest.mocked(delay).mock.calls.map(([ms]) => ms);
}

const FAILURES = Array<string>(7).fill('UNAVAILABLE');

test.each([
  ['double up to 2 s', 1, FAILURES, [100, 200, 400, 800, 1600, 2000, 2000]],
  ['are half of it at least', 0, FAILURES, [50, 100, 200, 400, 800, 1000, 1000]],
  [
    'have one count, whatever has failed',
    1,
    ['INTERNAL', 'RESOURCE_EXHAUSTED', 'PERMISSION_DENIED', 'NOT_FOUND'],
    [100, 200, 400, 800],
  ],
  [
    'are short after conflicts, which do not prolong the others',
    0.5,
    ['ABORTED', 'FAILED_PRECONDITION', 'UNAVAILABLE', 'ABORTED'],
    [20, 40, 75, 80],
  ],
  [
    'are at most 1 s after conflicts',
    1,
    Array<string>(7).fill('ABORTED'),
    [40, 80, 160, 320, 640, 1000, 1000],
  ],
])('the waits before further attempts %s', async (_what, random, statuses, waits) => {
  expect(await waitsAfter(random, ...statuses)).toEqual(waits);
});
