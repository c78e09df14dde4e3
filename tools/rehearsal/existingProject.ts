import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from '../../dev/root.ts';
import { liveVersion } from './cloud/apis.ts';
import type { Cloud } from './cloud/cloud.ts';
import { firebase } from './commands.ts';
import type { Workspace } from './workspace.ts';
import { runCheck } from './commands.ts';
import { RETRY } from './ownFunctions.ts';
import { check, checkEnd, checkEqual, show, step } from './report.ts';
import { createDatabase, PARAMETERS, parametersOf, PROJECT, projectIn, REGION } from './setting.ts';

const THEIR_RULES = `
  match /orders/{id} {
    allow read: if request.auth != null; // Customers
  }`;

const THEIR_INDEX = {
  collectionGroup: 'orders',
  queryScope: 'COLLECTION',
  fields: [
    { fieldPath: 'status', order: 'ASCENDING' },
    { fieldPath: 'createdAt', order: 'DESCENDING' },
  ],
};
const THEIR_FIELD = { collectionGroup: 'orders', fieldPath: 'note', indexes: [] };

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
    exports.orderConfirmation = onRequest({ region: '${REGION}' }, handler);`,
  'firestore.rules': `rules_version = '2';
    service cloud.firestore { match /databases/{db}/documents { ${THEIR_RULES} } }`,
  'firestore.indexes.json': { indexes: [THEIR_INDEX], fieldOverrides: [THEIR_FIELD] },
  'public/index.html': '<h1>Orders</h1>',
};

/** A deploy to a project with a function, an index, rules and a site of others, as docs/operating.md says. */
export async function deployToExisting(cloud: Cloud, workspace: Workspace): Promise<void> {
  step('Into an existing project: npm run check:project');
  createDatabase(cloud);
  await deployTheirs(cloud);
  const before = await thingsIn(cloud);

  await workspace.change(PARAMETERS, (text) => text.replace(/^REGION=.*$/m, 'REGION=europe-west0'));
  const found = await runCheck(cloud, 'checkProject', workspace.folder);
  found.output.split('\n').forEach(show);
  checkEnd('the check finds what would be lost', found, { status: 1, prints: '5 to settle first' });

  await mergeInto(workspace);
  const site = `${PROJECT}-api`;
  await firebase(cloud, workspace, ['hosting:sites:create', site]);
  const settled = await runCheck(cloud, 'checkProject', workspace.folder);
  checkEnd('after the steps of docs/operating.md it finds nothing', settled, { status: 0 });

  const deployed = await firebase(cloud, workspace, ['deploy'], { [RETRY]: 'y' });
  checkEnd('the first deploy, at a terminal', deployed, {
    status: 0,
    prints: 'Deploy complete!',
  });
  const after = await thingsIn(cloud);
  const lost = before.filter((thing) => !after.includes(thing));
  checkEqual('nothing of theirs is lost', lost, []);
  check('and the service has a site of its own', liveVersion(cloud.resources, site) !== undefined);
}

/** Their own deploy, before ours. */
async function deployTheirs(cloud: Cloud): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'theirs-'));
  try {
    for (const [path, content] of Object.entries(THEIRS)) {
      await mkdir(join(folder, dirname(path)), { recursive: true });
      const text = typeof content === 'string' ? content : JSON.stringify(content);
      await writeFile(join(folder, path), text);
    }
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
    const ended = await firebase(cloud, { folder }, ['deploy', '--force']);
    checkEnd('they have deployed', ended, { status: 0 });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** What docs/operating.md says to merge. */
async function mergeInto(workspace: Workspace): Promise<void> {
  await workspace.change(PARAMETERS, parametersOf);
  await workspace.change('firestore.rules', (rules) =>
    rules.replace(/(match \/databases\/\{database\}\/documents \{)/, `$1${THEIR_RULES}`),
  );
  await workspace.change('firestore.indexes.json', (text) => {
    const file = JSON.parse(text) as { indexes: object[]; fieldOverrides: object[] };
    file.indexes.push(THEIR_INDEX);
    file.fieldOverrides.push(THEIR_FIELD);
    return JSON.stringify(file);
  });
  await workspace.change('firebase.json', (text) =>
    text.replace('"hosting": {', `"hosting": { "site": "${PROJECT}-api",`),
  );
}

/** Functions, indexes, settings of fields, and rules of a project, and the files of its default site. */
async function thingsIn(cloud: Cloud): Promise<string[]> {
  const { functions, indexes, fields, rules, release } = await projectIn(cloud);
  return [
    ...functions.map(({ name, updateTime }) => `${name} of ${updateTime}`),
    ...indexes.map(({ name }) => name),
    ...fields,
    ...(rules?.text.includes(THEIR_RULES.trim()) ? ['their rules'] : []),
    ...Object.entries(release?.version?.files ?? {}).map(([path, hash]) => `${path} ${hash}`),
  ];
}
