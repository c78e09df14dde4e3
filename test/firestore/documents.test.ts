/** What is sent to read and write documents, and which responses are complete. */
import { commit, count, find, getDocuments } from '../../functions/src/firestore/documents.ts';
import { RequestContext } from '../../functions/src/platform/requestContext.ts';
import {
  committed,
  counted,
  documents,
  found,
  nameOf,
  scriptedFirestore,
} from '../support/scriptedFirestore.ts';
import { breaksOff, resets, respondsWith, type Reaction } from '../support/scriptedServer.ts';

const firestore = scriptedFirestore();

const query = { collection: 'things', where: {}, select: ['a'] };
const ERROR = { error: { code: 503, message: 'secret', status: 'UNAVAILABLE' } };
const [A, B] = ['a', 'b'].map((id) => ({
  document: { name: nameOf(`things/${id}`), createTime: 'zero', updateTime: 'one' },
  readTime: 'now',
}));

describe('a list', () => {
  const findIds = () =>
    firestore.within(async () => (await find(query, 10)).map(({ id }) => id).join());

  test('is requested with its conditions, order, start and size', async () => {
    firestore.play(found({}));
    const after = { path: 'people/ü %/things/a', fields: { order: { integerValue: '3' } } };
    const where = { artistId: 'alice', isVisible: true };
    const things = { ...query, collection: 'people/ü %/things', where };

    await firestore.within(() => find({ ...things, orderBy: 'order', descending: true }, 7, after));

    const equal = (fieldPath: string, value: object) => ({
      fieldFilter: { field: { fieldPath }, op: 'EQUAL', value },
    });
    const filters = [
      equal('artistId', { stringValue: 'alice' }),
      equal('isVisible', { booleanValue: true }),
    ];
    expect(firestore.seen).toMatchObject([
      {
        path: expect.stringMatching(/\/documents\/people\/%C3%BC%20%25:runQuery\?/) as string,
        headers: { 'content-type': 'application/json' },
        body: {
          structuredQuery: {
            select: { fields: [{ fieldPath: 'a' }] },
            from: [{ collectionId: 'things' }],
            where: { compositeFilter: { op: 'AND', filters } },
            orderBy: [
              { field: { fieldPath: 'order' }, direction: 'DESCENDING' },
              { field: { fieldPath: '__name__' }, direction: 'DESCENDING' },
            ],
            startAt: {
              values: [{ integerValue: '3' }, { referenceValue: nameOf(after.path) }],
              before: false,
            },
            limit: 7,
          },
        },
      },
    ]);
  });

  test.each<[string, Reaction]>([
    ['a reset connection', resets],
    ['a truncated body', breaksOff(JSON.stringify([A, B]).slice(0, -30))],
    ['a list that ends with an error', respondsWith([A, B, ERROR])],
    ['a list that starts with an error', respondsWith([ERROR, A, B])],
    ['an empty list without a read time', respondsWith([])],
    ['an element without a read time', respondsWith([A, B, {}])],
    ['not a list', respondsWith({})],
    ['a list with null', respondsWith([null])],
    ['a document without content', respondsWith([{ document: null, readTime: 'now' }, { A }])],
    ['a document without a name', respondsWith([{ document: { name: 7 }, readTime: 'now' }])],
  ])('is read again after %s, and then complete', async (_what, reaction) => {
    firestore.play(reaction, reaction, respondsWith([A, B]));

    expect(await findIds()).toBe('a,b');
    expect(firestore.seen).toHaveLength(3);
  });

  test.each([
    ['a read time', { readTime: 'now' }],
    ['the note that it is the last one', { done: true }],
  ])('can be empty but for %s', async (_what, element) => {
    firestore.play(respondsWith([element]));

    expect(await findIds()).toBe('');
  });
});

describe('documents', () => {
  const both = documents({ 'things/b': undefined, 'things/a': {} });
  const read = () =>
    firestore.within(async () => {
      const things = await getDocuments(['things/a', 'things/b'], ['x']);
      return things.map((each) => each?.path);
    });

  test('are returned in the order of the request, in whatever order they arrive', async () => {
    firestore.play(both);

    expect(await read()).toEqual(['things/a', undefined]);
    expect(firestore.seen[0]?.body).toEqual({
      documents: [nameOf('things/a'), nameOf('things/b')],
      mask: { fieldPaths: ['x'] },
    });
  });

  test.each([
    ['one is neither found nor missing', documents({ 'things/a': {} })],
    ['the response is empty', respondsWith([])],
    ['the response is no list', respondsWith({})],
  ])('are requested again if %s', async (_what, reaction) => {
    firestore.play(reaction, both);

    expect(await read()).toHaveLength(2);
    expect(firestore.seen).toHaveLength(2);
  });
});

describe('a count', () => {
  test.each([
    [0, 1],
    [1000, 1],
    [1001, 2],
  ])('of %i costs %i reads', async (total, reads) => {
    firestore.play(counted(total));
    const context = new RequestContext();

    expect(await firestore.within(() => count(query), context)).toBe(total);
    expect(context.usage.reads).toBe(reads);
  });

  test.each([
    ['has no result', [{ readTime: 'now' }]],
    ['is no list', {}],
  ])('is requested again if the response %s', async (_what, response) => {
    firestore.play(respondsWith(response), counted(7));

    expect(await firestore.within(() => count(query))).toBe(7);
  });
});

test('a commit has the version of each document, and keeps the sign of a negative zero', async () => {
  firestore.play(committed(2));
  const thing = { id: 'a', path: 'things/a', fields: {}, createTime: 'zero', updateTime: 'one' };
  const fields = { x: { doubleValue: -0 } };

  const writes = [{ delete: thing }, { update: thing, fields, mask: ['x', 'gone'] }];
  expect(await firestore.within(() => commit(writes))).toBe('done');

  expect(firestore.seen[0]?.body).toEqual({
    writes: [
      { delete: nameOf('things/a'), currentDocument: { updateTime: 'one' } },
      {
        update: { name: nameOf('things/a'), fields },
        updateMask: { fieldPaths: ['x', 'gone'] },
        currentDocument: { updateTime: 'one' },
      },
    ],
  });
});
