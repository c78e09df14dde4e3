import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { EmulatorClient } from '@tattoo-marketplace/firestore-embedded';
import { getTestStack } from '../../test/support/processes/testStack.ts';

const { firestoreHost } = getTestStack();

/** Runs check:data for a project. Returns its exit code and output. */
async function runCheck(project: string) {
  const env = { ...process.env, FIRESTORE_EMULATOR_HOST: firestoreHost };
  const command = ['tools/data/checkData.ts', '--project', project];
  return promisify(execFile)(process.execPath, command, { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: unknown) => error as { code: number; stdout: string; stderr: string },
  );
}

test('check:data reads all pages, names documents without a required field, and exits with 1', async () => {
  const project = 'demo-check-data';
  const store = new EmulatorClient(firestoreHost, project);
  const empty = await runCheck(project);
  const listing = { artistId: 'alice', isVisible: true, order: 1 };
  await store.setAll(Array.from({ length: 300 }, (_, id) => [`flash/${id}`, listing] as const));
  const valid = await runCheck(project);
  await store.setAll([
    ['flash/299', { artistId: 'alice', order: 1 }],
    ...['conversations/1/messages/1', 'teams/1/messages/1'].map((path) => [path, {}] as const),
  ]);
  const invalid = await runCheck(project);

  expect(empty.stderr).toMatch(/ has no documents\.\n$/);
  expect([empty.code, valid.code, invalid.code]).toEqual([1, 0, 1]);
  expect(valid.stdout).toContain('flash: 300 documents\n');
  expect(invalid.stdout).toMatch(
    /flash: 300 documents\n +1 {2}isVisible is missing\n +flash\/299\n/,
  );
  expect(invalid.stdout).toMatch(
    /messages: 1 documents\n +1 {2}timestamp is missing\n +conversations\/1\/messages\/1\n/,
  );
});
