import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const LOGIN = 'Failed to authenticate, have you run firebase login?';

/** How a command ends that has no credentials, and what it prints. */
async function run(program: string, ...args: readonly string[]) {
  const env = { ...process.env, CLOUDSDK_CONFIG: '/none', METADATA_SERVER_DETECTION: 'none' };
  return promisify(execFile)(process.execPath, [program, ...args], { env }).then(
    (printed) => ({ code: 0, ...printed }),
    (failed: unknown) => failed as { code: number; stdout: string; stderr: string },
  );
}

test.each([
  ['checks/checkProject.ts', [], 'Name the project: --project YOUR_PROJECT'],
  ['checks/checkProject.ts', ['--project='], 'Name the project: --project YOUR_PROJECT'],
  ['checks/checkProject.ts', ['--only', 'auth'], '--only takes functions, firestore or hosting.'],
  ['checks/checkDeployed.ts', ['--project', 'p'], LOGIN],
  ['data/checkData.ts', ['--project', 'p'], LOGIN],
])('%s %j fails with one sentence', async (program, args, sentence) => {
  const { code, stderr } = await run(`tools/${program}`, ...args);

  expect(code).toBe(1);
  expect(stderr.trim().split('\n')).toEqual([expect.stringContaining(sentence)]);
});

test.each([
  ['tools/data/checkData.ts', ['--projekt'], "Unknown option '--projekt'."],
  [
    'tools/data/checkData.ts',
    ['--project', 'p', '--project=q'],
    "Option '--project' is given twice.",
  ],
  ['tools/data/checkData.ts', ['flash'], "Unexpected argument 'flash'."],
] as const)('%s %j is answered by a sentence and the options', async (program, args, sentence) => {
  const { code, stderr } = await run(program, ...args);

  expect(code).toBe(1);
  expect(stderr.startsWith(`${sentence}\n\n`)).toBe(true);
  expect(stderr).toMatch(/\n\n.*npm (start|run [a-z:]+).*\n\n( {2}--\S.* {2}.+\n)+$/);
});

test.each(['--help', '-h'])('%s prints the same options, and is no failure', async (help) => {
  const { stderr } = await run('dev/start.ts', '--projekt');
  const helped = await run('dev/start.ts', help);

  expect(helped).toEqual({ code: 0, stdout: stderr.replace(/^.*\n\n/, ''), stderr: '' });
});
