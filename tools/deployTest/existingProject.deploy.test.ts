/** A deploy to a project with functions, indexes, rules and a site of its own, as docs/deploying.md says. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { getLiveVersion } from './fakeCloud/apis.ts';
import { firebase } from './commands.ts';
import {
  AT_TERMINAL,
  ending,
  PROJECT,
  REGION,
  startDeployTest,
  type DeployTest,
} from './deployTest.ts';

const SITE = `${PROJECT}-api`;
const OTHER_FUNCTION = 'artists-list in us-central1, of the codebase default';

/** What a team has deployed before, without a codebase. */
const THEIRS: Readonly<Record<string, string | object>> = {
  'firebase.json': {
    functions: { source: 'functions', runtime: 'nodejs24' },
    firestore: { rules: 'firestore.rules', indexes: 'firestore.indexes.json' },
    hosting: { public: 'public' },
  },
  'functions/package.json': { main: 'index.js', dependencies: { 'firebase-functions': '*' } },
  'functions/index.js': `
    const { onRequest } = require('firebase-functions/https');
    const handler = (request, response) => response.send('theirs');
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
  // Below the copy, so that packages are found.
  const theirs = join(deployTest.folder, 'theirs');
  for (const [path, content] of Object.entries(THEIRS)) {
    await mkdir(join(theirs, dirname(path)), { recursive: true });
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    await writeFile(join(theirs, path), text);
  }
  expect(await firebase(deployTest.cloud, theirs, ['deploy', '--force'])).toEqual(ending(0));
});

afterAll(() => deployTest.stop());

test('a bare deploy is refused at each target; as documented, first, again and undone, it takes nothing from the project', async () => {
  const { cloud, change, project, runCheck } = deployTest;
  const run = (...args: readonly string[]) => deployTest.firebase(args);
  const theirs = project();

  for (const [targets, conflict] of [
    ['firestore,functions,hosting', 'CONFLICT rules of (default)'],
    ['functions,hosting', `CONFLICT function ${OTHER_FUNCTION}`],
    ['hosting', `CONFLICT site ${PROJECT}`],
  ] as const) {
    expect(await run('deploy', '--force', '--only', targets)).toEqual(ending(1, conflict));
  }
  expect(project()).toEqual(theirs);

  const own = await run('functions:delete', 'artists-list', '--region', 'us-central1', '--force');
  expect(own).toEqual(ending(0));
  expect(await run('hosting:sites:create', SITE)).toEqual(ending(0));
  await change('firebase.json', (text) =>
    text.replace('"hosting": {', `"hosting": { "site": "${SITE}",`),
  );
  const before = project();
  expect(before.functions).toHaveLength(1);
  const found = await runCheck('checkProject');
  expect(found).toEqual(ending(1));
  expect(found.output.match(/^[A-Z]{4,} .*(?=:)/gm)).toEqual(['CONFLICT rules of (default)']);

  const deploy = ['deploy', '--only', 'functions:tattoo-marketplace,hosting'];
  expect(await deployTest.firebase(deploy, AT_TERMINAL)).toEqual(ending(0, 'Deploy complete!'));
  const unchanged = { ...before, functions: expect.arrayContaining(before.functions) as unknown };
  const first = project();
  expect(first).toEqual(unchanged);
  expect(getLiveVersion(cloud, SITE)).toBeDefined();
  expect(await run(...deploy)).toEqual(ending(0, 'Deploy complete!'));
  expect(project()).toEqual(unchanged);
  expect(project().functions).toHaveLength(first.functions.length);
  expect(first.functions.length).toBeGreaterThan(before.functions.length);

  expect(await run('functions:delete', 'tattoo-marketplace', '--force')).toEqual(ending(0));
  expect(await run('hosting:sites:delete', SITE, '--force')).toEqual(ending(0));
  expect(project()).toEqual(before);
  expect(getLiveVersion(cloud, SITE)).toBeUndefined();
});
