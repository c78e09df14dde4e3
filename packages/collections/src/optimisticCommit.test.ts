/** How writes are committed: nothing is lost, nothing is done twice, whatever happens to a commit. */
import * as z from 'zod';
import type { Write } from '@tattoo-marketplace/firestore-rest';
import { RequestContext } from '@tattoo-marketplace/endpoints';
import { defineCollection } from './defineCollection.ts';
import { updateOwnDocument } from './document.ts';
import { commitWithRetries } from './optimisticCommit.ts';
import { getDocuments } from './database.ts';
import {
  respondCommit,
  respondBatchGet,
  parseMethod,
  respondError,
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
const BEFORE = respondBatchGet({ 'things/0': n(0), 'things/1': n(0) });

const conflict = respondError('FAILED_PRECONDITION');

const forbidden = respondError('PERMISSION_DENIED', 403);
const fails = respondError('UNAVAILABLE', 503);
const exists = respondError('ALREADY_EXISTS');

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
  result: 'Error: The service is temporarily unavailable.',
  mayHaveWritten: true,
  plans: 1,
};
const FORBIDDEN = 'FirestoreError: PERMISSION_DENIED: HTTP 403';

test.each<{ name: string; reactions: readonly Responder[]; expected: object }>([
  {
    name: 'is applied',
    reactions: [respondCommit(2)],
    expected: { ...DONE, commits: 1, plans: 1 },
  },
  {
    name: 'conflicts',
    reactions: [conflict, BEFORE, respondCommit(2)],
    expected: { ...DONE, commits: 2, plans: 2 },
  },
  {
    name: 'is missed',
    reactions: [respondError('NOT_FOUND'), BEFORE, respondCommit(2)],
    expected: { ...DONE, commits: 2, plans: 2 },
  },
  {
    name: 'is aborted',
    reactions: [respondError('ABORTED', 409), respondCommit(2)],
    expected: { ...DONE, commits: 2, plans: 1 },
  },
  {
    name: 'comes too often',
    reactions: [respondError('RESOURCE_EXHAUSTED', 429), respondCommit(2)],
    expected: { ...DONE, commits: 2, plans: 1 },
  },
  {
    name: 'comes too often, and then conflicts',
    reactions: [respondError('RESOURCE_EXHAUSTED', 429), conflict, BEFORE, respondCommit(2)],
    expected: { ...DONE, commits: 3, plans: 2 },
  },
  {
    name: 'is forbidden',
    reactions: [forbidden],
    expected: { result: FORBIDDEN, mayHaveWritten: false, commits: 1, plans: 1 },
  },
  {
    name: 'loses its response',
    reactions: [resetConnection, respondCommit(2)],
    expected: { ...DONE, commits: 2, plans: 1 },
  },
  {
    name: 'fails',
    reactions: [fails, respondCommit(2)],
    expected: { ...DONE, commits: 2, plans: 1 },
  },
  {
    name: 'has an unknown outcome, and then is forbidden',
    reactions: [fails, forbidden, respondCommit(2)],
    expected: { ...DONE, commits: 3 },
  },
  {
    name: 'has an unknown outcome, and then conflicts',
    reactions: [resetConnection, conflict],
    expected: { ...UNKNOWN, commits: 2 },
  },
  {
    name: 'has an unknown outcome, and then finds it',
    reactions: [fails, exists],
    expected: { ...UNKNOWN, commits: 2 },
  },
  {
    name: 'has an unknown outcome, and then misses',
    reactions: [fails, respondError('NOT_FOUND')],
    expected: { ...UNKNOWN, commits: 2 },
  },
])(
  'a commit that $name is applied at most once, and overwrites nothing',
  async ({ reactions, expected }) => {
    firestore.setResponses(BEFORE, ...reactions);

    expect(await change()).toMatchObject(expected);
  },
);

test('a request whose documents change each time gives up after 12 attempts, and has written nothing', async () => {
  jest.spyOn(Math, 'random').mockReturnValue(0);
  const attempts = Array.from({ length: 12 }, () => [BEFORE, conflict]).flat();
  firestore.setResponses(...attempts, BEFORE, respondCommit(2));

  expect(await change()).toEqual({
    result: 'Error: The service is temporarily unavailable.',
    commits: 12,
    plans: 12,
    mayHaveWritten: false,
  });
});

test.each([
  {
    name: 'before the commit, nothing was written',
    reactions: [neverRespond],
    mayHaveWritten: false,
  },
  {
    name: 'while the commit is under way, the outcome is unknown',
    reactions: [BEFORE, neverRespond],
    mayHaveWritten: true,
  },
  {
    name: 'after a conflict, nothing was written',
    reactions: [BEFORE, conflict, neverRespond],
    mayHaveWritten: false,
  },
  {
    name: 'while it fails, the outcome is unknown',
    reactions: [BEFORE, fails],
    mayHaveWritten: true,
  },
  {
    name: 'while it fails, and then is forbidden, the outcome is unknown',
    reactions: [BEFORE, fails, forbidden],
    mayHaveWritten: true,
  },
])('at a deadline $name', async ({ reactions, mayHaveWritten }) => {
  firestore.setResponses(...reactions);
  const context = new RequestContext();

  await expect(
    context.run(300, () => updateOwnDocument(THING, ['n'], () => n(1))),
  ).rejects.toMatchObject({ code: 'unavailable' });
  expect(context.mayHaveWritten).toBe(mayHaveWritten);
});

test('a document is not written if there is nothing to change', async () => {
  firestore.setResponses(respondBatchGet({ 'things/0': {} }));

  await firestore.runInRequest(() => updateOwnDocument(THING, ['n'], () => undefined));

  expect(firestore.requests).toHaveLength(1);
});
