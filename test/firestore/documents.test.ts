/** Which responses are complete, and what commits depend on; test/contract has what queries find. */
import { commit, count, find, getDocuments } from '../../functions/src/firestore/documents.ts';
import { RequestContext } from '../../functions/src/platform/requestContext.ts';
import {
  committed,
  counted,
  documents,
  nameOf,
  scriptedFirestore,
} from '../support/scriptedFirestore.ts';
import { respondsWith } from '../support/scriptedServer.ts';

const firestore = scriptedFirestore();

const query = { collection: 'things', where: {}, select: ['a'] };
const ERROR = { error: { code: 503, message: 'secret', status: 'UNAVAILABLE' } };

const FOUND = { document: { name: nameOf('things/a') }, readTime: 'now' };
const list = () => find(query, 10);
const twoDocuments = () => getDocuments(['things/a', 'things/b'], []);
const number = () => count(query);

test.each([
  ['a read time', { readTime: 'now' }],
  ['the note that it is the last one', { done: true }],
])('a list can be empty but for %s', async (_what, element) => {
  firestore.play(respondsWith([element]));

  expect(await firestore.within(list)).toEqual([]);
});

test('documents are returned in the order of the request, in whatever order they arrive', async () => {
  firestore.play(documents({ 'things/b': undefined, 'things/a': {} }));

  const paths = ['things/a', 'things/b'];
  const things = await firestore.within(() => getDocuments(paths, ['x']));

  expect(things).toMatchObject([{ path: 'things/a' }, undefined]);
  expect(firestore.seen[0]?.body).toEqual({
    documents: paths.map(nameOf),
    mask: { fieldPaths: ['x'] },
  });
});

test.each([
  [0, 1],
  [1000, 1],
  [1001, 2],
])('a count of %i costs %i reads', async (total, reads) => {
  firestore.play(counted(total));
  const context = new RequestContext();

  expect(await firestore.within(() => count(query), context)).toBe(total);
  expect(context.usage.reads).toBe(reads);
});

test.each<[string, () => Promise<unknown>, unknown]>([
  ['a list that ends with an error', list, [FOUND, ERROR]],
  ['a list that starts with an error', list, [ERROR, FOUND]],
  ['an empty list without a read time', list, []],
  ['an element without a read time', list, [FOUND, {}]],
  ['not a list', list, {}],
  ['a list with null', list, [null]],
  ['a document without a name', list, [{ document: { name: 7 }, readTime: 'now' }]],
  ['one document of two', twoDocuments, [{ missing: nameOf('things/a') }]],
  ['no documents', twoDocuments, []],
  ['no list of documents', twoDocuments, {}],
  ['a count without a result', number, [{ readTime: 'now' }]],
  ['no list with a count', number, {}],
])('after %s the call is made again', async (_what, work, incomplete) => {
  const complete = [
    { missing: nameOf('things/a'), readTime: 'now' },
    { missing: nameOf('things/b'), readTime: 'now' },
    { result: { aggregateFields: { count: { integerValue: '7' } } }, readTime: 'now' },
  ];
  firestore.play(respondsWith(incomplete), respondsWith(incomplete), respondsWith(complete));

  await firestore.within(work);

  expect(firestore.seen).toHaveLength(3);
});

test('a commit has the version of each document, and keeps the sign of a negative zero', async () => {
  firestore.play(committed(2));
  const thing = { id: 'a', path: 'things/a', fields: {}, createTime: 'zero', updateTime: 'one' };
  const fields = { x: { doubleValue: -0 } };

  const writes = [{ delete: thing }, { update: thing, changes: { ...fields, gone: undefined } }];
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
