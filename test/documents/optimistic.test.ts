/** How writes are committed: nothing is lost, nothing is done twice, whatever happens to a commit. */
import { changeDocument, optimistically } from '../../functions/src/documents/optimistic.ts';
import { getDocuments, type Write } from '../../functions/src/firestore/documents.ts';
import type { Value } from '@tattoo-marketplace/firestore-rest';
import { RequestContext } from '../../functions/src/platform/requestContext.ts';
import {
  committed,
  conflict,
  documents,
  kindOf,
  scriptedFirestore,
} from '../support/scriptedFirestore.ts';
import { hangs, resets, type Reaction } from '../support/scriptedServer.ts';

const firestore = scriptedFirestore();

type Fields = Readonly<Record<string, object>>;

/** How a document is found: its fields, and its times of update and creation if they are others than before. */
type Found = readonly [(Fields | undefined)?, updateTime?: string, createTime?: string];

const n = (value: number): Fields => ({ n: { integerValue: String(value) } });

/** The response to a read of two documents, or of one. */
function stored(...found: readonly Found[]): Reaction {
  const each = found.map(([fields, updateTime = 'one', createTime = 'zero'], index) => {
    return { path: `things/${index}`, fields, version: { updateTime, createTime } };
  });
  return documents(
    Object.fromEntries(each.map(({ path, fields }) => [path, fields])),
    Object.fromEntries(each.map(({ path, version }) => [path, version])),
  );
}

const BEFORE = stored([n(0)], [n(0)]);

/** Sets `n` of both documents to 1 and removes `gone`, or deletes both. Returns what became of it. */
async function change(how: 'update' | 'delete') {
  const context = new RequestContext();
  let plans = 0;
  const plan = async () => {
    plans += 1;
    const read = await getDocuments(['things/0', 'things/1'], ['n']);
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

test.each<[string, readonly Reaction[], object]>([
  ['is applied', [committed(2)], { commits: 1, plans: 1 }],
  ['conflicts with others', [conflict, BEFORE, committed(2)], { commits: 2, plans: 2 }],
  [
    'arrives after it was sent again',
    [resets, BEFORE, conflict, stored([n(1), 'two'], [n(1), 'two'])],
    { commits: 2, plans: 1 },
  ],
])('an update that %s is made once', async (_what, reactions, expected) => {
  firestore.play(BEFORE, ...reactions);

  expect(await change('update')).toEqual({ result: 'done', mayHaveWritten: true, ...expected });
});

/** How a document of a lost commit may be found. */
const STATES = {
  'as it was': [n(0)],
  'as it was, which is as it should be': [n(1)],
  'as written': [n(1), 'two'],
  'written, but for a field to remove': [{ ...n(1), gone: { nullValue: null } }, 'two'],
  'written by others': [n(7), 'two'],
  'created anew': [n(1), 'two', 'two'],
  gone: [],
} as const satisfies Readonly<Record<string, Found>>;

/** What is then done about the commit. */
const OUTCOMES = {
  'it is done': { result: 'done', mayHaveWritten: true, commits: 1, plans: 1 },
  'it is sent again': { result: 'done', mayHaveWritten: true, commits: 2, plans: 1 },
  'it is planned anew': { result: 'done', mayHaveWritten: true, commits: 2, plans: 2 },
  'it is planned anew, in vain': {
    ...{ result: 'Error: It is missing.', mayHaveWritten: false, commits: 1, plans: 2 },
  },
  'nobody can tell': {
    ...{ result: 'Error: The service is temporarily unavailable.', mayHaveWritten: true },
    ...{ commits: 1, plans: 1 },
  },
};

test.each<['update' | 'delete', keyof typeof STATES, keyof typeof STATES, keyof typeof OUTCOMES]>([
  ['update', 'as it was', 'as it was', 'it is sent again'],
  ['update', 'as it was', 'written by others', 'it is planned anew'],
  ['update', 'as it was', 'as written', 'it is planned anew'],
  ['update', 'as written', 'as written', 'it is done'],
  ['update', 'written by others', 'as written', 'it is done'],
  ['update', 'gone', 'as written', 'it is done'],
  ['update', 'as it was, which is as it should be', 'as written', 'it is done'],
  [
    'update',
    'as it was, which is as it should be',
    'as it was, which is as it should be',
    'it is sent again',
  ],
  ['update', 'written by others', 'written by others', 'nobody can tell'],
  ['update', 'written, but for a field to remove', 'written by others', 'nobody can tell'],
  ['update', 'created anew', 'created anew', 'nobody can tell'],
  ['update', 'gone', 'gone', 'nobody can tell'],
  ['delete', 'as it was', 'as it was', 'it is sent again'],
  ['delete', 'gone', 'gone', 'it is done'],
  ['delete', 'created anew', 'gone', 'it is done'],
  ['delete', 'gone', 'as it was', 'it is planned anew, in vain'],
  ['delete', 'gone', 'written by others', 'it is planned anew, in vain'],
  ['delete', 'written by others', 'written by others', 'it is planned anew'],
])('the response to an %s is lost. One is %s, one %s: %s', async (how, one, other, outcome) => {
  const found = stored(STATES[one], STATES[other]);
  const rest = outcome === 'it is sent again' ? [committed(2)] : [found, committed(2)];
  firestore.play(BEFORE, resets, found, ...rest);

  expect(await change(how)).toEqual(OUTCOMES[outcome]);
  // All that was read or is written says what has become of it.
  expect(firestore.seen[2]?.body).toMatchObject({
    mask: { fieldPaths: how === 'update' ? ['n', 'gone'] : ['n'] },
  });
});

test.each<[string, Value, Value]>([
  ['list', { arrayValue: { values: [] } }, { arrayValue: {} }],
  ['map', { mapValue: { fields: {} } }, { mapValue: {} }],
])('an empty %s is recognized as written, however it is spelled', async (_what, sent, spelled) => {
  firestore.play(stored([n(0)]), resets, stored([{ n: spelled }, 'two']));

  await firestore.within(() => changeDocument('things/0', ['n'], () => ({ n: sent })));

  expect(firestore.seen).toHaveLength(3);
});

test.each([
  ['before the commit, nothing was written', [hangs], false],
  ['while the commit is under way, nobody knows', [BEFORE, hangs], true],
  ['after a conflict, nothing was written', [BEFORE, conflict, hangs], false],
])('at a deadline %s', async (_what, reactions, mayHaveWritten) => {
  firestore.play(...reactions);
  const context = new RequestContext();

  await expect(
    context.run(300, () => changeDocument('things/0', ['n'], () => n(1))),
  ).rejects.toMatchObject({ code: 'unavailable' });
  expect(context.mayHaveWritten).toBe(mayHaveWritten);
});

test.each([
  ['there is nothing to change', {}],
  ['it does not exist', undefined],
])('a document is not written if %s', async (_what, fields) => {
  firestore.play(stored([fields]));

  await firestore.within(() =>
    changeDocument('things/0', ['n'], (found) => (found ? undefined : n(1))),
  );

  expect(firestore.seen).toHaveLength(1);
});
