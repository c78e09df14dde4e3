import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** How a command ends that has no credentials, and what it prints. */
async function run(program: string, ...args: readonly string[]) {
  const env = { ...process.env, CLOUDSDK_CONFIG: '/none', METADATA_SERVER_DETECTION: 'none' };
  return promisify(execFile)(process.execPath, [program, ...args], { env }).then(
    (printed) => ({ code: 0, ...printed }),
    (failed: unknown) => failed as { code: number; stdout: string; stderr: string },
  );
}

test.each([
  ['checkProject', [], 'Name the project: --project YOUR_PROJECT'],
  ['checkProject', ['--only', 'auth'], '--only takes functions, firestore or hosting.'],
  ['checkDeployed', ['--project', 'p'], 'Failed to authenticate, have you run firebase login?'],
])('%s %j fails with one sentence', async (program, args, sentence) => {
  const { code, stderr } = await run(`tools/checks/${program}.ts`, ...args);

  expect(code).toBe(1);
  expect(stderr.trim().split('\n')).toEqual([expect.stringContaining(sentence)]);
});

test('wrong options get a sentence and the options; --help prints these, and is no failure', async () => {
  const wrong = await run('dev/start.ts', '--projekt');
  const helped = await run('dev/start.ts', '--help');

  expect(helped).toMatchObject({ code: 0, stderr: '' });
  expect(helped.stdout).toMatch(/^npm start.*\n\n( {2}--\S.* {2}.+\n)+$/);
  expect(wrong.code).toBe(1);
  expect(wrong.stderr).toMatch(/^Unknown option '--projekt'/);
  expect(wrong.stderr).toContain(helped.stdout);
});
