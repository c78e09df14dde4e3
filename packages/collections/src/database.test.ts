import { RequestContext } from '@tattoo-marketplace/endpoints';
import { commit, count, find, getDocuments } from './database.ts';
import { commitWithRetries } from './optimisticCommit.ts';
import { respondText } from '../../../test/support/google/stubServer.ts';
import { respondError, useStubFirestore } from '../../../test/support/google/stubFirestore.ts';

const firestore = useStubFirestore();

const query = { collection: 'things', where: {}, select: ['a'] };
const thing = { id: 'a', path: 'things/a', fields: {}, updateTime: 'one' };

test.each<{ name: string; call: () => Promise<unknown>; reads: number }>([
  { name: 'a read by path', call: async () => getDocuments(['things/a'], []), reads: 1 },
  { name: 'a query', call: async () => find(query, 3), reads: 3 },
  { name: 'a query after a position', call: async () => find(query, 3, thing), reads: 3 },
  { name: 'a count', call: async () => count(query), reads: 0 },
  { name: 'a commit', call: async () => commit([{ delete: thing }]), reads: 0 },
])('$name fails if its response exceeds 16 MiB, and is charged $reads reads', async (row) => {
  const context = new RequestContext();
  firestore.setResponses(respondText('x'.repeat(16 * 1024 * 1024 + 1)));

  const result = firestore.runInRequest(row.call, context);

  await expect(result).rejects.toMatchObject({ status: 'RESPONSE_TOO_LARGE' });
  expect(firestore.requests).toHaveLength(1);
  expect(context.usage.reads).toBe(row.reads);
});

test.each<{ name: string; call: () => Promise<unknown> }>([
  { name: 'a read', call: async () => count(query) },
  {
    name: 'a commit',
    call: async () =>
      commitWithRetries(() => Promise.resolve({ writes: [{ delete: thing }], furtherWrites: [] })),
  },
])(
  '$name is unavailable if Firestore rejects the access token twice, and is an error in the log',
  async ({ call }) => {
    firestore.setResponses(respondError('UNAUTHENTICATED', 401));

    const result = firestore.runInRequest(call);

    await expect(result).rejects.toMatchObject({ code: 'unavailable', logLevel: 'error' });
    expect(firestore.requests).toHaveLength(2);
  },
);
