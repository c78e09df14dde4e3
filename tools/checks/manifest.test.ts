import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { deployedEndpoints } from '../../dev/shared/deployMap.ts';
import { buildFunctionsApart } from '../../dev/functionsBuild.ts';
import { PUBLISHED } from '../rehearsal/expected.ts';
import type { DeployPlan } from './manifest.ts';
import { exampleFile } from './parameters.ts';

/** Runs code that uses the firebase CLI, which jest's loader cannot load, and returns what `print` gets. */
async function withCli(code: string): Promise<unknown> {
  const program = `const print = (value) => console.log(JSON.stringify(value)); ${code}`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--eval', program]);
  return JSON.parse(stdout);
}

let plan: DeployPlan;

beforeAll(async () => {
  const build = await buildFunctionsApart();
  try {
    const folder = JSON.stringify(build.folder);
    plan = (await withCli(
      `import('./tools/checks/manifest.ts').then(({ deployPlan }) => deployPlan(${folder})).then(print)`,
    )) as DeployPlan;
  } finally {
    await build.remove();
  }
});

test('deploys each endpoint as a separate function with the configured limits', () => {
  for (const { functionId } of deployedEndpoints) {
    expect(plan.functions.find(({ id }) => id === functionId)).toMatchObject({
      platform: 'gcfv2',
      runtime: 'nodejs24',
      region: 'us-central1',
      availableMemoryMb: 512,
      cpu: 1,
      concurrency: 80,
      minInstances: 0,
      maxInstances: 20,
      timeoutSeconds: 60,
      httpsTrigger: { invoker: ['public'] },
    });
  }
});

test('functions/.env.example is up to date with `npm run parameters`', () => {
  expect(readFileSync('functions/.env.example', 'utf8')).toBe(exampleFile(plan.parameters));
});

test('Hosting publishes exactly the listed files of public/', async () => {
  const files = await withCli(`
    const { public: folder, ignore } = require('./firebase.json').hosting;
    print(require('firebase-tools/lib/listFiles').listFiles(folder, ignore));
  `);
  const paths = (files as string[]).map((path) => `/${path}`);
  // Files that are copied there before a deploy may be missing here.
  const isKept = (path: string) => !/^\/(vendor\/|client\.tgz)/.test(path);

  expect(paths.filter(isKept).sort()).toEqual(PUBLISHED.filter(isKept).sort());
});
