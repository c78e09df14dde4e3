import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Store } from '@tattoo-marketplace/firestore-embedded';
import { testStack } from '../../dev/testing/testStack.ts';

const { firestoreHost } = testStack();

/** The output of check:data on a project of its own, and its exit code. */
async function check(project: string, ...args: string[]) {
  const env = { ...process.env, FIRESTORE_EMULATOR_HOST: firestoreHost };
  const command = ['tools/data/checkData.ts', '--project', project, ...args];
  return promisify(execFile)(process.execPath, command, { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: unknown) => error as { code: number; stdout: string; stderr: string },
  );
}

test('check:data reads all pages, names what no list shows, and fails', async () => {
  const project = 'demo-check-data';
  const listing = { artistId: 'alice', isVisible: true, order: 1 };
  const listings = Array.from({ length: 700 }, (_, id) => [`flash/${id}`, listing] as const);
  await new Store(firestoreHost, project).setAll([
    ...listings,
    ['flash/699', { order: 1 }],
    ...['conversations/1/messages/1', 'teams/1/messages/1'].map((path) => [path, {}] as const),
  ]);

  const { code, stdout, stderr } = await check(project, '--database', '(default)');

  expect(stderr).toContain('This check costs 702 reads');
  expect(stdout).toContain('flash: 700 documents\n');
  expect(stdout).toMatch(/ 1 {2}lost +artistId is missing: in no list.*\n +flash\/699\n/);
  expect(stdout).toContain('conversations/{conversationId}/messages: 1 documents\n');
  expect(stdout).toMatch(/ timestamp is missing: in no list\n +conversations\/1\/messages\/1\n?/);
  expect(code).toBe(1);

  const limited = await check(project, '--collection', 'flash', '--limit', '500');
  expect(limited.stderr).toContain('This check costs 500 reads');
  expect(limited.stdout).toContain('flash: 500 documents, all fit');
  expect(limited.code).toBe(0);

  const empty = await check(project, '--collection', 'gallery');
  expect(empty.stderr).toMatch(/has no documents in gallery\. .* in the project demo-tattoo\.\n$/);
  expect(empty.code).toBe(1);
});
