/** How writes are committed: nothing is lost, nothing is done twice, whatever happens to a commit. */
import * as z from 'zod';
import { defineCollection } from './defineCollection.ts';
import { updateOwnDocument } from './document.ts';
import { commitWithRetries } from './optimisticCommit.ts';
import { getDocuments } from './database.ts';
import type { Write } from '@tattoo-marketplace/firestore-rest';
import { RequestContext } from '@tattoo-marketplace/endpoints';
import {
  commitResponse,
  batchGetResponse,
  parseMethod,
  errorResponse,
  useStubFirestore,
} from '../../../dev/testing/stubFirestore.ts';
import { neverRespond, resetConnection, type Responder } from '../../../dev/testing/stubServer.ts';

const firestore = useStubFirestore();

const things = defineCollection('things', {
  description: 'Things of this test.',
  schema: z.object({ id: z.string(), n: z.int().optional().describe('A field of this test.') }),
});
const THING = { collection: things, caller: '0' };

type Fields = Readonly<Record<string, object>>;

const n = (value: number): Fields => ({ n: { integerValue: String(value) } });

/** The response to a read of two documents whose `n` is 0. */
const BEFORE = batchGetResponse({ 'things/0': n(0), 'things/1': n(0) });

const conflict = errorResponse('FAILED_PRECONDITION');

const forbidden = errorResponse('PERMISSION_DENIED', 403);
const fails = errorResponse('UNAVAILABLE', 503);
const exists = errorResponse('ALREADY_EXISTS');

/** Sets `n` of both documents to 1. Returns what became of it. */
async function change(limitMs = 30_000) {
  const context = new RequestContext();
  let plans = 0;
  const plan = async () => {
    plans += 1;
    const read = await getDocuments(['things/0', 'things/1'], ['n']);
    return read.map((document): Write => {
      if (document === undefined) throw new Error('It is missing.');
      return { update: document, changes: n(1) };
    });
  };
  const result = await context
    .run(limitMs, () => commitWithRetries(plan))
    .then(() => 'done', String);
  const commits = firestore.requests.filter(({ path }) => parseMethod(path) === 'commit');
  // Each sending after a read is the very same.
  expect(new Set(commits.map(({ body }) => JSON.stringify(body))).size).toBeLessThanOrEqual(1);
  return { result, commits: commits.length, plans, mayHaveWritten: context.mayHaveWritten };
}

const DONE = { result: 'done', mayHaveWritten: true };
const UNKNOWN = {
  ...{ result: 'Error: The service is temporarily unavailable.', mayHaveWritten: true, plans: 1 },
};
const FORBIDDEN = 'FirestoreError: PERMISSION_DENIED: HTTP 403';

test.each<[string, readonly Responder[], object]>([
  ['is applied', [commitResponse(2)], { ...DONE, commits: 1, plans: 1 }],
  ['conflicts', [conflict, BEFORE, commitResponse(2)], { ...DONE, commits: 2, plans: 2 }],
  [
    'is missed',
    [errorResponse('NOT_FOUND'), BEFORE, commitResponse(2)],
    { ...DONE, commits: 2, plans: 2 },
  ],
  [
    'is aborted',
    [errorResponse('ABORTED', 409), commitResponse(2)],
    { ...DONE, commits: 2, plans: 1 },
  ],
  [
    'comes too often',
    [errorResponse('RESOURCE_EXHAUSTED', 429), commitResponse(2)],
    { ...DONE, commits: 2, plans: 1 },
  ],
  [
    'comes too often, and then conflicts',
    [errorResponse('RESOURCE_EXHAUSTED', 429), conflict, BEFORE, commitResponse(2)],
    { ...DONE, commits: 3, plans: 2 },
  ],
  ['is forbidden', [forbidden], { result: FORBIDDEN, mayHaveWritten: false, commits: 1, plans: 1 }],
  ['loses its response', [resetConnection, commitResponse(2)], { ...DONE, commits: 2, plans: 1 }],
  ['fails', [fails, commitResponse(2)], { ...DONE, commits: 2, plans: 1 }],
  [
    'is in doubt, and then forbidden',
    [fails, forbidden, commitResponse(2)],
    { ...DONE, commits: 3 },
  ],
  ['is in doubt, and then conflicts', [resetConnection, conflict], { ...UNKNOWN, commits: 2 }],
  ['is in doubt, and then finds it', [fails, exists], { ...UNKNOWN, commits: 2 }],
  ['is in doubt, and then misses', [fails, errorResponse('NOT_FOUND')], { ...UNKNOWN, commits: 2 }],
])('a commit that %s is applied at most once, and overwrites nothing', async (...row) => {
  const [, reactions, expected] = row;
  firestore.setResponses(BEFORE, ...reactions);

  expect(await change()).toMatchObject(expected);
});

test('a request whose documents change each time gives up after 12 attempts, and has written nothing', async () => {
  jest.spyOn(Math, 'random').mockReturnValue(0);
  const attempts = Array.from({ length: 12 }, () => [BEFORE, conflict]).flat();
  firestore.setResponses(...attempts, BEFORE, commitResponse(2));

  expect(await change()).toEqual({
    result: 'Error: The service is temporarily unavailable.',
    commits: 12,
    plans: 12,
    mayHaveWritten: false,
  });
});

test.each([
  ['before the commit, nothing was written', [neverRespond], false],
  ['while the commit is under way, nobody knows', [BEFORE, neverRespond], true],
  ['after a conflict, nothing was written', [BEFORE, conflict, neverRespond], false],
  ['while it fails, nobody knows', [BEFORE, fails], true],
  ['while it fails, and then is forbidden, nobody knows', [BEFORE, fails, forbidden], true],
])('at a deadline %s', async (_what, reactions, mayHaveWritten) => {
  firestore.setResponses(...reactions);
  const context = new RequestContext();

  await expect(
    context.run(300, () => updateOwnDocument(THING, ['n'], () => n(1))),
  ).rejects.toMatchObject({ code: 'unavailable' });
  expect(context.mayHaveWritten).toBe(mayHaveWritten);
});

test('a document is not written if there is nothing to change', async () => {
  firestore.setResponses(batchGetResponse({ 'things/0': {} }));

  await firestore.runInRequest(() => updateOwnDocument(THING, ['n'], () => undefined));

  expect(firestore.requests).toHaveLength(1);
});
