/** How writes are committed: nothing is lost, nothing is done twice, whatever happens to a commit. */
import { changeDocument, optimistically } from '../../functions/src/firestore/optimistic.ts';
import { getDocuments, type Write } from '../../functions/src/firestore/documents.ts';
import type { Value } from '../../functions/src/firestore/values.ts';
import { RequestContext } from '../../functions/src/platform/requestContext.ts';
import {
  byKind,
  committed,
  conflict,
  documents,
  kindOf,
  scriptedFirestore,
} from '../support/scriptedFirestore.ts';
import { hangs, resets, respondsWith, type Reaction } from '../support/scriptedServer.ts';

const firestore = scriptedFirestore();

const n = (value: number) => ({ n: { integerValue: String(value) } });
const unavailable = respondsWith({ error: { status: 'UNAVAILABLE' } }, 503);

/** Two documents of the same collection, as they are found: fields, and the version if it is another one. */
type Found = readonly [
  ReturnType<typeof n> | Record<string, object> | undefined,
  (string | undefined)?,
  (string | undefined)?,
];

function stored(...found: readonly Found[]): Reaction {
  const pathOf = (index: number) => (index === 0 ? 'things/a' : 'things/b');
  const fields = found.map(([each], index) => [pathOf(index), each] as const);
  const versions = found.map(
    ([, updateTime = 'one', createTime = 'zero'], index) =>
      [pathOf(index), { updateTime, createTime }] as const,
  );
  return documents(Object.fromEntries(fields), Object.fromEntries(versions));
}

const BEFORE = stored([n(0)], [n(0)]);

/** Sets `n` of both documents to 1, or deletes both; undefined if one is missing. Returns what became of it. */
async function change(how: 'update' | 'delete') {
  const context = new RequestContext();
  let plans = 0;
  const plan = async () => {
    plans += 1;
    const read = await getDocuments(['things/a', 'things/b'], ['n']);
    return read.map((document): Write => {
      if (document === undefined) throw new Error('It is missing.');
      return how === 'delete'
        ? { delete: document }
        : { update: document, changes: { ...n(1), gone: undefined } };
    });
  };
  const result = await firestore.within(
    () => optimistically(plan).then(() => 'done', String),
    context,
  );
  const commits = firestore.seen.filter(({ path }) => kindOf(path) === 'commit').length;
  return { result, commits, plans, mayHaveWritten: context.mayHaveWritten };
}

const DONE = { result: 'done', mayHaveWritten: true };

test.each<[string, readonly Reaction[], object]>([
  ['is applied', [committed(2)], { commits: 1, plans: 1 }],
  ['conflicts with others', [conflict, BEFORE, committed(2)], { commits: 2, plans: 2 }],
  // In doubt: what the documents say.
  ['has had no effect so far', [resets, BEFORE, committed(2)], { commits: 2, plans: 1 }],
  [
    'arrives after it was sent again',
    [resets, BEFORE, conflict, stored([n(1), 'two'], [n(1), 'two'])],
    { commits: 2, plans: 1 },
  ],
  [
    'has had no effect, and others have changed one document',
    [unavailable, stored([n(0)], [n(7), 'two']), BEFORE, committed(2)],
    { commits: 2, plans: 2 },
  ],
  [
    'has had no effect, and others have set one to the same value',
    [unavailable, stored([n(0)], [n(1), 'two']), BEFORE, committed(2)],
    { commits: 2, plans: 2 },
  ],
  ['was applied', [resets, stored([n(1), 'two'], [n(1), 'two'])], { commits: 1, plans: 1 }],
  [
    'was applied, and others have changed one document since',
    [resets, stored([n(7), 'three'], [n(1), 'two'])],
    { commits: 1, plans: 1 },
  ],
  [
    'was applied, and one document was deleted since',
    [resets, stored([undefined], [n(1), 'two'])],
    { commits: 1, plans: 1 },
  ],
  [
    'was applied, and did not change one document',
    [resets, stored([n(1)], [n(1), 'two'])],
    { commits: 1, plans: 1 },
  ],
  [
    'has nothing to change',
    [resets, stored([n(1)], [n(1)]), committed(2)],
    { commits: 2, plans: 1 },
  ],
])('an update that %s is made once', async (_what, reactions, expected) => {
  firestore.play(BEFORE, ...reactions);

  expect(await change('update')).toEqual({ ...DONE, ...expected });
});

test.each<[string, Reaction]>([
  ['others have written both documents', stored([n(7), 'two'], [n(7), 'two'])],
  ['both were deleted', stored([undefined], [undefined])],
  ['both were created anew', stored([n(1), 'two', 'two'], [n(1), 'two', 'two'])],
  [
    'a field is left that was to be removed',
    stored([{ ...n(1), gone: { nullValue: null } }, 'two'], [n(7), 'two']),
  ],
])('nobody can tell what an update did if its response is lost and %s', async (_what, found) => {
  firestore.play(BEFORE, resets, found);

  expect(await change('update')).toEqual({
    result: 'Error: The service is temporarily unavailable.',
    commits: 1,
    plans: 1,
    mayHaveWritten: true,
  });
});

test.each<[string, readonly Reaction[], object]>([
  ['was applied', [stored([undefined], [undefined])], { ...DONE, commits: 1 }],
  [
    'was applied, and one document was created anew',
    [stored([n(0), 'two', 'two'], [undefined])],
    { ...DONE, commits: 1 },
  ],
  ['has had no effect so far', [BEFORE, committed(2)], { ...DONE, commits: 2 }],
  [
    'has had no effect, and others have deleted one document',
    [stored([undefined], [n(0)]), stored([undefined], [n(0)])],
    { result: 'Error: It is missing.', mayHaveWritten: false, commits: 1 },
  ],
  [
    'has had no effect, and others have deleted one and changed the other',
    [stored([undefined], [n(7), 'two']), stored([undefined], [n(7), 'two'])],
    { result: 'Error: It is missing.', mayHaveWritten: false, commits: 1 },
  ],
  [
    'has had no effect, and others have changed both',
    [stored([n(7), 'two'], [n(7), 'two']), stored([n(7), 'two'], [n(7), 'two']), committed(2)],
    { ...DONE, commits: 2 },
  ],
])('a deletion in doubt that %s', async (_what, reactions, expected) => {
  firestore.play(BEFORE, unavailable, ...reactions);

  expect(await change('delete')).toMatchObject(expected);
});

test.each<[string, Value, Value]>([
  ['list', { arrayValue: { values: [] } }, { arrayValue: {} }],
  ['map', { mapValue: { fields: {} } }, { mapValue: {} }],
])(
  'an empty %s is recognized as written, however Firestore spells it',
  async (_what, sent, spelled) => {
    firestore.play(stored([n(0)]), resets, stored([{ n: spelled }, 'two']));

    await firestore.within(() => changeDocument('things/a', ['n'], () => ({ n: sent })));

    expect(firestore.seen).toHaveLength(3);
  },
);

test('after a lost response, the times and the fields that were read or written are read', async () => {
  firestore.play(BEFORE, resets, stored([n(1), 'two'], [n(1), 'two']));

  await change('update');

  expect(firestore.seen.at(-1)?.body).toMatchObject({ mask: { fieldPaths: ['n', 'gone'] } });
});

test.each([
  ['before the commit, nothing was written', { batchGet: hangs }, false],
  ['while the commit is under way, nobody knows', { batchGet: BEFORE, commit: hangs }, true],
  ['after conflicts, nothing was written', { batchGet: BEFORE, commit: conflict }, false],
])('at a deadline %s', async (_what, reactions, mayHaveWritten) => {
  firestore.play(byKind(reactions));
  const context = new RequestContext();

  await expect(
    context.run(300, () => changeDocument('things/a', ['n'], () => n(1))),
  ).rejects.toMatchObject({ code: 'unavailable' });
  expect(context.mayHaveWritten).toBe(mayHaveWritten);
});

test.each([
  ['there is nothing to change', {}],
  ['it does not exist', undefined],
])('a document is not written if %s', async (_what, fields) => {
  firestore.play(stored([fields]));

  await firestore.within(() =>
    changeDocument('things/a', ['n'], (found) => (found ? undefined : n(1))),
  );

  expect(firestore.seen).toHaveLength(1);
});
