/** How writes are committed: nothing is lost, nothing is done twice, whatever happens to a commit. */
import * as z from 'zod';
import { collection } from '../../functions/src/documents/collection.ts';
import { changeDocument } from '../../functions/src/documents/document.ts';
import { optimistically } from '../../functions/src/documents/optimistic.ts';
import { getDocuments } from '../../functions/src/documents/database.ts';
import type { Value, Write } from '@tattoo-marketplace/firestore-rest';
import { RequestContext } from '../../functions/src/platform/requestContext.ts';
import { committed, documents, kindOf, scriptedFirestore } from '../support/scriptedFirestore.ts';
import { hangs, resets, respondsWith, type Reaction } from '../support/scriptedServer.ts';

const firestore = scriptedFirestore();

const things = collection('things', {
  purpose: 'Things of this test.',
  schema: z.object({ id: z.string(), n: z.int().optional() }),
});
const THING = { collection: things, id: '0' };

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

/** The response to a call that is refused. */
const refused = (status: string, httpStatus = 400) =>
  respondsWith({ error: { status } }, httpStatus);

const conflict = refused('FAILED_PRECONDITION');

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

const ONCE_MORE = { result: 'done', mayHaveWritten: true, commits: 2, plans: 2 };
const [DONE, IN_DOUBT, FAILED] = [
  { result: 'done', mayHaveWritten: true, plans: 1 },
  { result: expect.any(String) as string, mayHaveWritten: true, commits: 1, plans: 1 },
  { result: 'FirestoreError: PERMISSION_DENIED: HTTP 400', mayHaveWritten: false, plans: 1 },
];
const WRITTEN = stored([n(1), 'two'], [n(1), 'two']);

test.each<[string, readonly Reaction[], object]>([
  ['is applied', [committed(2)], { ...DONE, commits: 1 }],
  ['conflicts with others', [conflict, BEFORE, committed(2)], ONCE_MORE],
  ['names a document that is gone', [refused('NOT_FOUND'), BEFORE, committed(2)], ONCE_MORE],
  ['names one that is there again', [refused('ALREADY_EXISTS'), BEFORE, committed(2)], ONCE_MORE],
  ['comes too often', [refused('RESOURCE_EXHAUSTED'), BEFORE, committed(2)], ONCE_MORE],
  ['is forbidden', [refused('PERMISSION_DENIED')], FAILED],
  ['arrives after it was sent again', [resets, BEFORE, conflict, WRITTEN], { ...DONE, commits: 2 }],
  [
    'is in doubt, and then forbidden',
    [resets, BEFORE, refused('PERMISSION_DENIED'), WRITTEN],
    { ...DONE, commits: 2 },
  ],
  ['is in doubt, and may not be read', [resets, refused('PERMISSION_DENIED')], IN_DOUBT],
])('an update that %s is made at most once', async (_what, reactions, expected) => {
  firestore.play(BEFORE, ...reactions);

  expect(await change('update')).toMatchObject(expected);
});

/** A document of a commit without a response: its fields before, if they are others than 0, and how it is found. */
interface State {
  readonly before?: Fields;
  readonly found: Found;
}

const STATES = {
  'as it was': { found: [n(0)] },
  'as written': { found: [n(1), 'two'] },
  'written, but for a field to remove': { found: [{ ...n(1), gone: { nullValue: null } }, 'two'] },
  'written by others': { found: [n(7), 'two'] },
  'created anew': { found: [n(1), 'two', 'two'] },
  gone: { found: [] },
  'as it was, with nothing to change': { before: n(1), found: [n(1)] },
  'written by others, with nothing to change': { before: n(1), found: [n(1), 'two'] },
} as const satisfies Readonly<Record<string, State>>;

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
  ['update', 'written by others', 'written by others', 'nobody can tell'],
  ['update', 'written, but for a field to remove', 'written by others', 'nobody can tell'],
  ['update', 'created anew', 'created anew', 'nobody can tell'],
  ['update', 'gone', 'gone', 'nobody can tell'],
  ['update', 'as it was, with nothing to change', 'as written', 'it is done'],
  ['update', 'as it was, with nothing to change', 'written by others', 'nobody can tell'],
  ['update', 'as it was, with nothing to change', 'as it was', 'it is sent again'],
  ['update', 'written by others, with nothing to change', 'as written', 'it is done'],
  ['update', 'written by others, with nothing to change', 'written by others', 'nobody can tell'],
  ['update', 'written by others, with nothing to change', 'as it was', 'it is planned anew'],
  [
    'update',
    'as it was, with nothing to change',
    'written by others, with nothing to change',
    'it is planned anew',
  ],
  ['delete', 'as it was', 'as it was', 'it is sent again'],
  ['delete', 'gone', 'gone', 'it is done'],
  ['delete', 'created anew', 'gone', 'it is done'],
  ['delete', 'gone', 'as it was', 'it is planned anew, in vain'],
  ['delete', 'gone', 'written by others', 'it is planned anew, in vain'],
  ['delete', 'written by others', 'written by others', 'it is planned anew'],
])(
  'the response to an %s of two documents is lost: if one is %s and the other %s, %s',
  async (...row) => {
    const [how, one, other, outcome] = row;
    const states: readonly State[] = [STATES[one], STATES[other]];
    const before = stored(...states.map((state): Found => [state.before ?? n(0)]));
    const found = stored(...states.map((state) => state.found));
    const rest = outcome === 'it is sent again' ? [committed(2)] : [found, committed(2)];
    firestore.play(before, resets, found, ...rest);

    expect(await change(how)).toEqual(OUTCOMES[outcome]);
    // All that was read or is written says what has become of it.
    expect(firestore.seen[2]?.body).toMatchObject({
      mask: { fieldPaths: how === 'update' ? ['n', 'gone'] : ['n'] },
    });
  },
);

test.each<[string, Value, Value]>([
  ['an empty list', { arrayValue: { values: [] } }, { arrayValue: {} }],
  ['an empty map', { mapValue: { fields: {} } }, { mapValue: {} }],
  [
    'a timestamp',
    { timestampValue: '2026-01-15T12:00:20.000000Z' },
    { timestampValue: '2026-01-15T12:00:20Z' },
  ],
])('%s is recognized as written, however it is spelled', async (_what, sent, spelled) => {
  firestore.play(stored([n(0)]), resets, stored([{ n: spelled }, 'two']));

  await firestore.within(() => changeDocument(THING, ['n'], () => ({ n: sent })));

  expect(firestore.seen).toHaveLength(3);
});

test('each attempt after a conflict waits for a random time, and each look at a commit in doubt', async () => {
  const waits: number[] = [];
  jest.spyOn(Math, 'random').mockImplementation(() => {
    waits.push(firestore.seen.length);
    return 0;
  });
  firestore.play(BEFORE, conflict, BEFORE, conflict, BEFORE, resets, BEFORE, conflict, WRITTEN);

  await change('update');

  // After so many calls.
  expect(waits).toEqual([2, 4, 6, 8]);
});

test.each([
  ['before the commit, nothing was written', [hangs], false],
  ['while the commit is under way, nobody knows', [BEFORE, hangs], true],
  ['after a conflict, nothing was written', [BEFORE, conflict, hangs], false],
])('at a deadline %s', async (_what, reactions, mayHaveWritten) => {
  firestore.play(...reactions);
  const context = new RequestContext();

  await expect(
    context.run(300, () => changeDocument(THING, ['n'], () => n(1))),
  ).rejects.toMatchObject({ code: 'unavailable' });
  expect(context.mayHaveWritten).toBe(mayHaveWritten);
});

test.each([
  ['there is nothing to change', {}],
  ['it does not exist', undefined],
])('a document is not written if %s', async (_what, fields) => {
  firestore.play(stored([fields]));

  await firestore.within(() => changeDocument(THING, ['n'], (found) => (found ? undefined : n(1))));

  expect(firestore.seen).toHaveLength(1);
});
