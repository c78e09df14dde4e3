/** Commits that fail, conflict or have an unknown outcome: no write is lost or applied twice. */
import * as z from 'zod';
import type { Write } from '@tattoo-marketplace/firestore-rest';
import { RequestContext } from '@tattoo-marketplace/endpoints';
import { defineCollection } from './defineCollection.ts';
import { commitWithRetries } from './optimisticCommit.ts';
import { updateOwned } from './updateOwned.ts';
import { getDocuments } from './database.ts';
import {
  respondCommit,
  respondBatchGet,
  parseMethod,
  respondError,
  useStubFirestore,
} from '../../../test/support/google/stubFirestore.ts';
import {
  neverRespond,
  resetConnection,
  type Responder,
} from '../../../test/support/google/stubServer.ts';

const firestore = useStubFirestore();

const things = defineCollection('things', {
  description: 'Things of this test.',
  schema: z.object({ id: z.string(), n: z.int().optional().describe('A field of this test.') }),
});
const OWN_THING = {
  collection: things,
  documents: [{ id: '0' }],
  callerId: '0',
  ownedBy: 'id',
} as const;

type Fields = Readonly<Record<string, object>>;

const createFields = (n: number): Fields => ({ n: { integerValue: String(n) } });

/** The response to a read of two documents whose `n` is 0. */
const READ = respondBatchGet({ 'things/0': createFields(0), 'things/1': createFields(0) });
const COMMITTED = respondCommit(2);

const conflict = respondError('FAILED_PRECONDITION');
const notFound = respondError('NOT_FOUND');
const alreadyExists = respondError('ALREADY_EXISTS');
const permissionDenied = respondError('PERMISSION_DENIED', 403);
const aborted = respondError('ABORTED', 409);
const exhausted = respondError('RESOURCE_EXHAUSTED', 429);
/** The outcome of a commit with this response is unknown. */
const unavailable = respondError('UNAVAILABLE', 503);

/** Sets `n` of both documents to 1. Returns the result, and the numbers of commits and of reads. */
async function updateBoth() {
  const context = new RequestContext();
  const planWrites = async () => {
    const documents = await getDocuments(['things/0', 'things/1'], ['n']);
    const writes = documents.map((document): Write => {
      if (document === undefined) throw new Error('The document is missing.');
      return { update: document, changes: createFields(1) };
    });
    return { writes, furtherWrites: [] };
  };
  const result = await context
    .run(30_000, () => commitWithRetries(planWrites))
    .then(() => 'done', String);
  const [reads = [], commits = []] = ['batchGet', 'commit'].map((method) =>
    firestore.requests.filter(({ path }) => parseMethod(path) === method),
  );
  // All commits after one read are identical.
  expect(new Set(commits.map(({ body }) => JSON.stringify(body))).size).toBeLessThanOrEqual(1);
  const { mayHaveWritten } = context;
  return { result, commits: commits.length, reads: reads.length, mayHaveWritten };
}

const UNAVAILABLE_ERROR = expect.stringMatching(
  /^Error: The service is temporarily unavailable/,
) as string;
const OUTCOME_UNKNOWN_ERROR = expect.stringMatching(
  /^Error: The service could not confirm the change/,
) as string;

test.each<{ name: string; responses: readonly Responder[]; commits: number; reads: number }>([
  { name: 'succeeds', responses: [COMMITTED], commits: 1, reads: 1 },
  { name: 'conflicts', responses: [conflict, READ, COMMITTED], commits: 2, reads: 2 },
  {
    name: 'is rejected because a document was deleted',
    responses: [notFound, READ, COMMITTED],
    commits: 2,
    reads: 2,
  },
  { name: 'is aborted', responses: [aborted, COMMITTED], commits: 2, reads: 1 },
  { name: 'exceeds a quota', responses: [exhausted, COMMITTED], commits: 2, reads: 1 },
  {
    name: 'exceeds a quota, and then conflicts',
    responses: [exhausted, conflict, READ, COMMITTED],
    commits: 3,
    reads: 2,
  },
  { name: 'loses its response', responses: [resetConnection, COMMITTED], commits: 2, reads: 1 },
  { name: 'has an unknown outcome', responses: [unavailable, COMMITTED], commits: 2, reads: 1 },
  {
    name: 'has an unknown outcome, and then is denied',
    responses: [unavailable, permissionDenied, COMMITTED],
    commits: 3,
    reads: 1,
  },
])('a commit that $name is applied once', async ({ responses, commits, reads }) => {
  firestore.setResponses(READ, ...responses);

  expect(await updateBoth()).toEqual({ result: 'done', commits, reads, mayHaveWritten: true });
});

test('a commit that is denied is not retried, and nothing is written', async () => {
  firestore.setResponses(READ, permissionDenied);

  expect(await updateBoth()).toEqual({
    result: 'FirestoreError: PERMISSION_DENIED: HTTP 403',
    commits: 1,
    reads: 1,
    mayHaveWritten: false,
  });
});

test.each<{ name: string; responses: readonly Responder[] }>([
  { name: 'conflicts', responses: [resetConnection, conflict] },
  { name: 'finds an existing document', responses: [unavailable, alreadyExists] },
  { name: 'misses a document', responses: [unavailable, notFound] },
])(
  'a commit that has an unknown outcome, and then $name, leaves the outcome unknown',
  async ({ responses }) => {
    firestore.setResponses(READ, ...responses);

    expect(await updateBoth()).toEqual({
      result: OUTCOME_UNKNOWN_ERROR,
      commits: 2,
      reads: 1,
      mayHaveWritten: true,
    });
  },
);

test('a request whose documents change each time fails after 12 attempts without writing', async () => {
  jest.spyOn(Math, 'random').mockReturnValue(0);
  const attempts = Array.from({ length: 12 }, () => [READ, conflict]).flat();
  firestore.setResponses(...attempts, READ, COMMITTED);

  expect(await updateBoth()).toEqual({
    result: UNAVAILABLE_ERROR,
    commits: 12,
    reads: 12,
    mayHaveWritten: false,
  });
});

/** The code of the deadline is `unavailable`, also if it passes during a commit: `mayHaveWritten` then changes the response. */
const UNKNOWN_OR_DEADLINE = expect.stringMatching(/^(outcome-unknown|unavailable)$/) as string;

test.each([
  {
    name: 'nothing was written if the deadline passes before the commit',
    responses: [neverRespond],
    code: 'unavailable',
    mayHaveWritten: false,
  },
  {
    name: 'the outcome is unknown if the deadline passes during the commit',
    responses: [READ, neverRespond],
    code: UNKNOWN_OR_DEADLINE,
    mayHaveWritten: true,
  },
  {
    name: 'nothing was written if the deadline passes after a conflict',
    responses: [READ, conflict, neverRespond],
    code: 'unavailable',
    mayHaveWritten: false,
  },
  {
    name: 'the outcome is unknown if the deadline passes after attempts with unknown outcomes',
    responses: [READ, unavailable],
    code: UNKNOWN_OR_DEADLINE,
    mayHaveWritten: true,
  },
  {
    name: 'the outcome is unknown if the deadline passes after an unknown outcome and a denial',
    responses: [READ, unavailable, permissionDenied],
    code: UNKNOWN_OR_DEADLINE,
    mayHaveWritten: true,
  },
])('$name', async ({ responses, code, mayHaveWritten }) => {
  firestore.setResponses(...responses);
  const context = new RequestContext();

  await expect(
    context.run(300, () => updateOwned(OWN_THING, () => ({ n: 1 }))),
  ).rejects.toMatchObject({ code });
  expect(context.mayHaveWritten).toBe(mayHaveWritten);
});
