/** A deploy to a project with a function, an index, rules and a site of others, as docs/operating.md says. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { liveVersion } from './cloud/apis.ts';
import { firebase, runScript } from './commands.ts';
import {
  AT_TERMINAL,
  ending,
  PARAMETERS,
  PROJECT,
  REGION,
  startRehearsal,
  type Rehearsal,
} from './rehearsal.ts';

const SITE = `${PROJECT}-api`;

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

/** Accepts the default, no, when the CLI asks whether to delete what firestore.indexes.json lacks. */
const KEEPING = {
  ...AT_TERMINAL,
  'Would you like to delete these indexes?': '',
  'Would you like to delete these field overrides?': '',
};

test('check:project finds what a deploy would take from others; after its steps nothing is lost', async () => {
  const rehearsal = await startRehearsal();
  const { cloud, runCheck } = rehearsal;
  try {
    await deployTheirs(rehearsal);
    const before = await thingsIn(rehearsal);

    expect(await runCheck('checkProject')).toEqual(ending(1, '2 to settle before a deploy'));

    await mergeTheirs(rehearsal);
    expect(await rehearsal.firebase(['hosting:sites:create', SITE])).toEqual(ending(0));
    expect(await runCheck('checkProject')).toEqual(ending(0));

    const deployed = await rehearsal.firebase(['deploy'], KEEPING);
    expect(deployed).toEqual(ending(0, 'Deploy complete!'));
    expect(await thingsIn(rehearsal)).toEqual(expect.arrayContaining(before));
    expect(liveVersion(cloud, SITE)).toBeDefined();
  } finally {
    await rehearsal.stop();
  }
});

test('a deploy that would replace a function of others is refused and changes nothing; check:project knows it before, as well as a missing region', async () => {
  const rehearsal = await startRehearsal();
  const { folder, change, runCheck } = rehearsal;
  const adopted = 'ADOPTED function artists-list of the codebase default';
  try {
    await deployTheirs(rehearsal, `exports.artists = { list: exports.orderConfirmation };`);
    const before = await thingsIn(rehearsal);

    expect(await runCheck('checkProject')).toEqual(ending(1, adopted));
    expect(await rehearsal.firebase(['deploy', '--force'])).toEqual(ending(1, adopted));
    expect(await thingsIn(rehearsal)).toEqual(before);

    const unsigned = { PATH: process.env.PATH, HOME: folder, METADATA_SERVER_DETECTION: 'none' };
    const script = ['tools/checks/checkAdopted.ts', '--project', PROJECT];
    expect(await runScript(folder, script, unsigned)).toEqual(ending(0, 'Warning: not checked'));

    await change(PARAMETERS, (text) => text.replace(/^REGION=.*$/m, 'REGION=europe-west99'));
    expect(await runCheck('checkProject')).toEqual(ending(1, 'MISSING region europe-west99'));
  } finally {
    await rehearsal.stop();
  }
});

/** Their own deploy, before ours. `more` is further source of their functions. */
async function deployTheirs({ cloud, folder }: Rehearsal, more = ''): Promise<void> {
  // Below the copy, so that packages are found.
  const theirs = join(folder, 'theirs');
  for (const [path, content] of Object.entries(THEIRS)) {
    await mkdir(join(theirs, dirname(path)), { recursive: true });
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    await writeFile(join(theirs, path), path === 'functions/index.js' ? text + more : text);
  }
  expect(await firebase(cloud, theirs, ['deploy', '--force'])).toEqual(ending(0));
}

/** What docs/operating.md says to merge. */
async function mergeTheirs({ change }: Rehearsal): Promise<void> {
  await change('firestore.rules', (rules) =>
    rules.replace(/(match \/databases\/\{database\}\/documents \{)/, `$1${THEIR_RULES}`),
  );
  await change('firebase.json', (text) =>
    text.replace('"hosting": {', `"hosting": { "site": "${SITE}",`),
  );
}

/** Functions, indexes, settings of fields, and rules of a project, and the files of its default site. */
async function thingsIn({ project, indexes }: Rehearsal): Promise<string[]> {
  const { functions, rules, version } = await project();
  return [
    ...functions.map(({ name, updateTime }) => `${name} of ${updateTime}`),
    ...indexes().map(({ name }) => name),
    ...(rules?.includes(THEIR_RULES.trim()) ? ['their rules'] : []),
    ...Object.entries(version?.files ?? {}).map(([path, hash]) => `${path} ${hash}`),
  ];
}
