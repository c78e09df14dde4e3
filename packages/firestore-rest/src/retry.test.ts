import { setTimeout as delay } from 'node:timers/promises';
import { Backoff, FirestoreError } from './index.ts';

jest.mock('node:timers/promises', () => ({ setTimeout: jest.fn() }));

/** Returns the waits after errors with these statuses, in ms. `random` is the result of `Math.random`. */
async function measureWaits(random: number, statuses: readonly string[]): Promise<unknown[]> {
  jest.mocked(delay).mockReset();
  jest.spyOn(Math, 'random').mockReturnValue(random);
  const backoff = new Backoff();
  const { signal } = new AbortController();
  for (const status of statuses) await backoff.wait(new FirestoreError(status, 'Why.'), signal);
  return jest.mocked(delay).mock.calls.map(([ms]) => ms);
}

const FAILURES = Array<string>(7).fill('UNAVAILABLE');
const CONFLICTS = Array<string>(7).fill('ABORTED');

test.each([
  {
    name: 'the longest wait doubles with each failure, up to 2 s',
    random: 1,
    statuses: FAILURES,
    waits: [100, 200, 400, 800, 1600, 2000, 2000],
  },
  {
    name: 'the shortest wait is half of the longest',
    random: 0,
    statuses: FAILURES,
    waits: [50, 100, 200, 400, 800, 1000, 1000],
  },
  {
    name: 'failures with different statuses share one count',
    random: 1,
    statuses: ['INTERNAL', 'RESOURCE_EXHAUSTED', 'PERMISSION_DENIED', 'NOT_FOUND'],
    waits: [100, 200, 400, 800],
  },
  {
    name: 'conflicts have shorter waits, and do not prolong the waits after failures',
    random: 0.5,
    statuses: ['ABORTED', 'FAILED_PRECONDITION', 'UNAVAILABLE', 'ABORTED'],
    waits: [20, 40, 75, 80],
  },
  {
    name: 'the longest wait after conflicts is 1 s',
    random: 1,
    statuses: CONFLICTS,
    waits: [40, 80, 160, 320, 640, 1000, 1000],
  },
])('$name', async ({ random, statuses, waits }) => {
  expect(await measureWaits(random, statuses)).toEqual(waits);
});
