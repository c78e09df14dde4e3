import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs a command without credentials. Returns its exit code and output. */
async function run(program: string, ...args: readonly string[]) {
  const env = { ...process.env, CLOUDSDK_CONFIG: '/none', METADATA_SERVER_DETECTION: 'none' };
  return promisify(execFile)(process.execPath, [program, ...args], { env }).then(
    (output) => ({ code: 0, ...output }),
    (error: unknown) => error as { code: number; stdout: string; stderr: string },
  );
}

test.each([
  {
    name: 'checkProject without a project',
    program: 'checkProject',
    args: [],
    sentence: 'Name the project: --project YOUR_PROJECT',
  },
  {
    name: 'checkProject of an unknown target',
    program: 'checkProject',
    args: ['--only', 'auth'],
    sentence: '--only takes functions, firestore or hosting.',
  },
  {
    name: 'checkDeployed without credentials',
    program: 'checkDeployed',
    args: ['--project', 'p'],
    sentence: 'Failed to authenticate, have you run firebase login?',
  },
])('$name fails with one sentence', async ({ program, args, sentence }) => {
  const { code, stderr } = await run(`tools/checks/${program}.ts`, ...args);

  expect(code).toBe(1);
  expect(stderr.trim().split('\n')).toEqual([expect.stringContaining(sentence)]);
});

test('an unknown option prints an error and the usage, and --help prints the usage', async () => {
  const unknownOption = await run('dev/start.ts', '--projekt');
  const help = await run('dev/start.ts', '--help');

  expect(help).toMatchObject({ code: 0, stderr: '' });
  expect(help.stdout).toMatch(/^npm start.*\n\n( {2}--\S.* {2}.+\n)+$/);
  expect(unknownOption.code).toBe(1);
  expect(unknownOption.stderr).toMatch(/^Unknown option '--projekt'/);
  expect(unknownOption.stderr).toContain(help.stdout);
});
