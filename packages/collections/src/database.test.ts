import { RequestContext } from '@tattoo-marketplace/endpoints';
import { commit, count, find, getDocuments } from './database.ts';
import { respondText } from '../../../dev/testing/stubServer.ts';
import { useStubFirestore } from '../../../dev/testing/stubFirestore.ts';

const firestore = useStubFirestore();

const query = { collection: 'things', where: {}, select: ['a'] };
const thing = { id: 'a', path: 'things/a', fields: {}, updateTime: 'one' };

/** The calls, and how many documents each asks for. */
const CALLS: readonly (readonly [name: string, call: () => Promise<unknown>, asked: number])[] = [
  ['a read by path', async () => getDocuments(['things/a'], []), 1],
  ['a query', async () => find(query, 3), 3],
  ['a query for what follows', async () => find(query, 3, thing), 3],
  ['a count', async () => count(query), 0],
  ['a commit', async () => commit([{ delete: thing }]), 0],
];

test.each(CALLS)(
  '%s fails beyond 16 MiB, and counts the requested documents as reads',
  async (...row) => {
    const [, call, asked] = row;
    const context = new RequestContext();
    firestore.setResponses(respondText('x'.repeat(16 * 1024 * 1024 + 1)));

    const failure = firestore.runInRequest(call, context);

    await expect(failure).rejects.toMatchObject({ status: 'RESPONSE_TOO_LARGE' });
    expect(firestore.requests).toHaveLength(1);
    expect(context.usage.reads).toBe(asked);
  },
);
