import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Store } from '../../dev/firestore/store.ts';
import { testStack } from '../../dev/shared/testStack.ts';

/** A project of its own: other tests store documents too. */
const PROJECT = 'demo-check-data';
const LISTINGS = 700;

const { firestoreHost } = testStack();

/** The exit code and the output of `npm run check:data`. */
async function checkData(...args: string[]) {
  const env = { ...process.env, FIRESTORE_EMULATOR_HOST: firestoreHost };
  return promisify(execFile)(
    process.execPath,
    ['tools/data/checkData.ts', '--project', PROJECT, ...args],
    { env },
  ).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: unknown) => error as { code: number; stdout: string; stderr: string },
  );
}

beforeAll(async () => {
  const listing = { artistId: 'alice', isVisible: true, order: 1 };
  const ids = Array.from({ length: LISTINGS }, (_, index) => index);
  const listings = ids.map((id) => [`flash/${id}`, id === 699 ? { order: 1 } : listing] as const);
  const messages = ['conversations/1/messages/1', 'teams/1/messages/1'];
  await new Store(firestoreHost, PROJECT).setAll([
    ...listings,
    ...messages.map((path) => [path, {}] as const),
  ]);
});

test('check:data reads all pages, names what no list shows, and fails', async () => {
  const { code, stdout, stderr } = await checkData('--json');

  expect(stderr).toContain('This check costs 702 reads');
  const { results } = JSON.parse(stdout) as { results: readonly { collection: string }[] };
  const resultOf = (name: string) => results.find(({ collection }) => collection === name);
  const lost = (what: string, examples: string[]) =>
    expect.objectContaining({ kind: 'lost', what, documents: 1, examples }) as unknown;
  expect(resultOf('flash')).toMatchObject({
    documents: LISTINGS,
    findings: [
      lost('artistId is missing', ['flash/699']),
      lost('isVisible is missing', ['flash/699']),
    ],
  });
  expect(resultOf('conversations/{id}/messages')).toMatchObject({
    documents: 1,
    findings: [lost('timestamp is missing', ['conversations/1/messages/1'])],
  });
  expect(code).toBe(1);
});

test('check:data reads no more than it is told to, and succeeds if all documents fit', async () => {
  const { code, stdout, stderr } = await checkData('--collection', 'flash', '--limit', '500');

  expect(stderr).toContain('This check costs 500 reads');
  expect(stdout).toContain('flash: 500 documents, all fit');
  expect(code).toBe(0);
});
