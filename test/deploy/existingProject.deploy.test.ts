/** Deploys to a project with other functions, indexes, rules and another site, as docs/deploying.md describes. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { getLiveVersion } from '../support/google/cloud/apis.ts';
import { runFirebase } from './commands.ts';
import {
  PROMPT_ANSWERS,
  expectedResult,
  PROJECT,
  REGION,
  startDeployTest,
  type DeployTest,
} from './deployTest.ts';

const SITE = `${PROJECT}-api`;
const OTHER_FUNCTION = 'artists-list in us-central1, of the codebase default';

/** The repository of a team that has deployed to the project before, without a codebase. */
const EXISTING_PROJECT: Readonly<Record<string, string | object>> = {
  'firebase.json': {
    functions: { source: 'functions', runtime: 'nodejs24' },
    firestore: { rules: 'firestore.rules', indexes: 'firestore.indexes.json' },
    hosting: { public: 'public' },
  },
  'functions/package.json': { main: 'index.js', dependencies: { 'firebase-functions': '*' } },
  'functions/index.js': `
    const { onRequest } = require('firebase-functions/https');
    const handler = (request, response) => response.send('existing');
    exports.orderConfirmation = onRequest({ region: '${REGION}' }, handler);
    exports.artists = { list: onRequest({ region: 'us-central1' }, handler) };`,
  'firestore.rules': `rules_version = '2';
    service cloud.firestore { match /databases/{db}/documents { match /orders/{id} {
      allow read: if request.auth != null; // Customers
    } } }`,
  'firestore.indexes.json': {
    indexes: [
      {
        collectionGroup: 'orders',
        queryScope: 'COLLECTION',
        fields: [
          { fieldPath: 'status', order: 'ASCENDING' },
          { fieldPath: 'createdAt', order: 'DESCENDING' },
        ],
      },
    ],
    fieldOverrides: [{ collectionGroup: 'orders', fieldPath: 'note', indexes: [] }],
  },
  'public/index.html': '<h1>Orders</h1>',
};

let deployTest: DeployTest;

beforeAll(async () => {
  deployTest = await startDeployTest();
  // Below the copy, where packages can be resolved.
  const folder = join(deployTest.folder, 'existing');
  for (const [path, content] of Object.entries(EXISTING_PROJECT)) {
    await mkdir(join(folder, dirname(path)), { recursive: true });
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    await writeFile(join(folder, path), text);
  }
  expect(await runFirebase(deployTest.cloud, folder, ['deploy', '--force'])).toEqual(
    expectedResult(0),
  );
});

afterAll(() => deployTest.stop());

test('the project keeps its resources: a plain deploy is rejected at every target, and the documented deploy can be repeated and undone', async () => {
  const { cloud, change, readProject, runTool } = deployTest;
  const run = (...args: readonly string[]) => deployTest.runFirebase(args);
  const existing = readProject();

  for (const [targets, conflict] of [
    ['firestore,functions,hosting', 'CONFLICT rules of (default)'],
    ['functions,hosting', `CONFLICT function ${OTHER_FUNCTION}`],
    ['hosting', `CONFLICT site ${PROJECT}`],
  ] as const) {
    expect(await run('deploy', '--force', '--only', targets)).toEqual(expectedResult(1, conflict));
  }
  expect(readProject()).toEqual(existing);

  const deletion = await run(
    'functions:delete',
    'artists-list',
    '--region',
    'us-central1',
    '--force',
  );
  expect(deletion).toEqual(expectedResult(0));
  expect(await run('hosting:sites:create', SITE)).toEqual(expectedResult(0));
  await change('firebase.json', (text) =>
    text.replace('"hosting": {', `"hosting": { "site": "${SITE}",`),
  );
  const before = readProject();
  expect(before.functions).toHaveLength(1);
  const result = await runTool('checks/checkProject');
  expect(result).toEqual(expectedResult(1));
  expect(result.output.match(/^[A-Z]{4,} .*(?=:)/gm)).toEqual(['CONFLICT rules of (default)']);

  const deploy = ['deploy', '--only', 'functions:tattoo-marketplace,hosting'];
  expect(await deployTest.runFirebase(deploy, PROMPT_ANSWERS)).toEqual(
    expectedResult(0, 'Deploy complete!'),
  );
  const unchanged = { ...before, functions: expect.arrayContaining(before.functions) as unknown };
  const first = readProject();
  expect(first).toEqual(unchanged);
  expect(getLiveVersion(cloud, SITE)).toBeDefined();
  expect(await run(...deploy)).toEqual(expectedResult(0, 'Deploy complete!'));
  expect(readProject()).toEqual(unchanged);
  expect(readProject().functions).toHaveLength(first.functions.length);
  expect(first.functions.length).toBeGreaterThan(before.functions.length);

  expect(await run('functions:delete', 'tattoo-marketplace', '--force')).toEqual(expectedResult(0));
  expect(await run('hosting:sites:delete', SITE, '--force')).toEqual(expectedResult(0));
  expect(readProject()).toEqual(before);
  expect(getLiveVersion(cloud, SITE)).toBeUndefined();
});
