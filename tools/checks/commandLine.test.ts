import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const LOGIN = 'There are no Google credentials: run gcloud auth application-default login (';

test.each([
  ['checks/checkProject.ts', [], 'Name the project: --project YOUR_PROJECT'],
  ['checks/checkDeployed.ts', ['--project', 'p'], LOGIN],
  ['data/checkData.ts', ['--project', 'p'], LOGIN],
  ['data/checkData.ts', ['--project', 'p', '--collection', 'tattoos'], 'There is no collection'],
  ['data/migrate.ts', ['--project', 'p', '--collection', 'flash'], 'Say either --set'],
  [
    'data/migrate.ts',
    ['--project=p', '--collection=users', '--set=a=1', '--where-missing=artistInfo.isVerified'],
    '--where-missing must name a field of the document itself.',
  ],
])('%s %j fails with one sentence', async (program, args, sentence) => {
  const env = { ...process.env, CLOUDSDK_CONFIG: '/none', METADATA_SERVER_DETECTION: 'none' };
  const command = [`tools/${program}`, ...args];

  const error = await promisify(execFile)(process.execPath, command, { env }).catch(
    (failed: unknown) => failed as { readonly code: number; readonly stderr: string },
  );

  expect(error).toMatchObject({ code: 1 });
  expect(error.stderr.trim().split('\n')).toEqual([expect.stringContaining(sentence)]);
});
