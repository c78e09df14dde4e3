import { readFileSync } from 'node:fs';
import { apisOf, createProject, type CloudState } from '../rehearsal/cloud/apis.ts';
import { Resources } from '../rehearsal/cloud/resources.ts';
import type { Deploy } from './deploy.ts';
import type { ReadGoogle } from './googleApi.ts';
import { CONFLICTS, missingIndexes } from './project.ts';

const MARK = '// codebase: ours';
const HEADERS = [{ headers: [{ key: 'X-Codebase', value: 'ours' }] }];
const LOCKED = 'match /{document=**} { allow read, write: if false; }';
const INDEX = {
  collectionGroup: 'flash',
  queryScope: 'COLLECTION',
  fields: [
    { fieldPath: 'artistId', order: 'ASCENDING' },
    { fieldPath: 'order', order: 'ASCENDING' },
  ],
};

const DEPLOY: Deploy = {
  project: 'p',
  codebase: 'ours',
  region: 'europe-west1',
  functionIds: ['artists-list', 'flash-reorder'],
  databaseId: '(default)',
  ruledDatabaseId: '(default)',
  rules: `${MARK}\n${LOCKED}`,
  indexes: [INDEX],
  fieldOverrides: [{ collectionGroup: 'availability', fieldPath: 'weeklySlots', indexes: [] }],
  sites: [{ headers: HEADERS }],
};

const GROUPS = 'projects/p/databases/(default)/collectionGroups';

/** A project that has these resources, too; null for what it lacks. */
function projectWith(resources: Readonly<Record<string, object | null>>): ReadGoogle {
  const project = { id: 'p', number: '1' };
  const state: CloudState = { project, resources: new Resources(), archives: [], unknown: [] };
  createProject(state, 'europe-west1');
  for (const [name, resource] of Object.entries(resources)) {
    if (resource === null) state.resources.delete(name);
    else state.resources.put(name, resource);
  }
  const call = apisOf(state);
  return (address) => Promise.resolve(call('GET', address));
}

function cloudFunction(id: string, codebase?: string, region = 'europe-west1') {
  const labels = codebase === undefined ? {} : { 'firebase-functions-codebase': codebase };
  return { [`projects/p/locations/${region}/functions/${id}`]: { labels } };
}

function rules(content: string, database = '') {
  return {
    [`projects/p/releases/cloud.firestore${database}`]: { rulesetName: 'projects/p/rulesets/1' },
    'projects/p/rulesets/1': { source: { files: [{ content }] } },
  };
}

function site(headers: Readonly<Record<string, string>>, id = 'p') {
  const version = { files: {}, config: { headers: [{ glob: '**', headers }] } };
  return { [`sites/${id}/channels/live/releases/1`]: { version } };
}

function setting(group: string, path: string, ...orders: readonly string[]) {
  const indexes = orders.map((order) => ({
    queryScope: 'COLLECTION',
    fields: [{ fieldPath: path, order }],
  }));
  return { [`${GROUPS}/${group}/fields/${path}`]: { indexConfig: { indexes } } };
}

const TEST_MODE = 'allow read, write: if request.time < timestamp.date(2026, 12, 25);';
const NAMED = { databaseId: 'live', ruledDatabaseId: 'live' };
const LIVE = { 'projects/p/databases/live': {} };

type Row = readonly [
  target: keyof typeof CONFLICTS,
  what: string,
  present: Readonly<Record<string, object | null>>,
  conflict: RegExp | null,
  deploy?: Partial<Deploy>,
];

const ROWS: readonly Row[] = [
  ['functions', 'a new project', {}, null],
  [
    'functions',
    'a project without the API of functions',
    { 'projects/p/locations/europe-west1': null },
    null,
  ],
  ['functions', 'ours, to change, add and remove', cloudFunction('flash-old', 'ours'), null],
  [
    'functions',
    'ours of before REGION was changed',
    cloudFunction('artists-list', 'ours', 'us-east1'),
    null,
  ],
  ['functions', 'functions of others', cloudFunction('mail'), null],
  ['functions', 'one with a name of ours', cloudFunction('artists-list'), /^ADOPTED .* default:/],
  [
    'functions',
    'one in another region and codebase',
    cloudFunction('artists-list', 'shop', 'us-east1'),
    /^ADOPTED function artists-list in us-east1, of the codebase shop:/,
  ],
  ['functions', 'no such region', {}, /^MISSING region a-b1: .* europe-west1/, { region: 'a-b1' }],
  ['functions', 'no database', { 'projects/p/databases/(default)': null }, /^MISSING database/],
  ['functions', 'a named database', LIVE, null, NAMED],
  ['functions', 'rules elsewhere', LIVE, /^DATABASE_ID=live, but .* is /, { databaseId: 'live' }],

  ['firestore', 'no rules', {}, null],
  ['firestore', 'locked rules', rules(`/* allow read; */ ${LOCKED}`), null],
  ['firestore', 'rules of ours with allows of its own', rules(`${MARK}\nallow read;`), null],
  ['firestore', 'rules that allow something', rules(`${LOCKED} allow read;`), /^REPLACED rules/],
  ['firestore', 'test mode', rules(TEST_MODE), /if they are those of test mode, first publish/],
  ['firestore', 'no rules of a named database', LIVE, null, NAMED],
  [
    'firestore',
    'rules of a named database',
    { ...LIVE, ...rules('allow read;', '/live') },
    /^REPLACED rules of live/,
    NAMED,
  ],
  ['firestore', 'rules to deploy without the mark', {}, /^UNMARKED/, { rules: 'allow read;' }],
  [
    'firestore',
    'an index on a field that ours exempts',
    setting('availability', 'weeklySlots', 'ASCENDING'),
    /^REPLACED indexes of availability.weeklySlots/,
  ],
  [
    'firestore',
    'the field by which a list is sorted, exempt from indexes',
    setting('messages', 'timestamp', 'ASCENDING'),
    /^LOST index of messages.timestamp, DESCENDING/,
  ],
  ['firestore', 'exemptions of others', setting('orders', 'timestamp'), null],

  ['hosting', 'a site that was never used', {}, null],
  ['hosting', 'a release of ours', site({ 'X-Codebase': 'ours' }), null],
  ['hosting', 'a site of others', site({ 'X-Frame-Options': 'DENY' }), /^REPLACED site p:/],
  [
    'hosting',
    'a site beside that of others',
    site({}),
    null,
    { sites: [{ site: 'api', headers: HEADERS }] },
  ],
  [
    'hosting',
    'a target',
    {},
    /several .* or a target/,
    { sites: [{ target: 'api', headers: HEADERS }] },
  ],
  ['hosting', 'two sites', {}, /several/, { sites: [{ headers: HEADERS }, { headers: HEADERS }] }],
  ['hosting', 'a site to deploy without the mark', {}, /^UNMARKED site/, { sites: [{}] }],
];

test.each(ROWS.map((row) => [row[0], row[1], row] as const))(
  '%s: %s',
  async (_target, _what, row) => {
    const [target, , present, conflict, deploy] = row;

    const found = await CONFLICTS[target](projectWith(present), { ...DEPLOY, ...deploy });

    expect(found).toHaveLength(conflict === null ? 0 : 1);
    expect(found.join()).toMatch(conflict ?? /^$/);
  },
);

test('lists the indexes that the database lacks', async () => {
  const { fields, queryScope } = INDEX;
  const documentId = { fieldPath: '__name__', order: 'ASCENDING' };
  const stored = { queryScope, fields: [...fields, documentId] };
  const present = projectWith({ [`${GROUPS}/flash/indexes/1`]: stored });
  const elsewhere = projectWith({ [`${GROUPS}/gallery/indexes/1`]: stored });

  expect(await missingIndexes(present, DEPLOY)).toEqual([]);
  expect(await missingIndexes(elsewhere, DEPLOY)).toEqual([INDEX]);
});

/** What the roles permit of which the checks ask (https://cloud.google.com/iam/docs/roles-permissions). */
const ROLES: Readonly<Record<string, RegExp>> = {
  'cloudfunctions.admin': /^cloudfunctions\.(functions|locations)\.list$/,
  'datastore.indexAdmin': /^datastore\.(databases\.getMetadata|indexes\.list)$/,
  'firebase.viewer': /^firebase\.projects\.get$/,
  'firebasehosting.admin': /^firebasehosting\.sites\.get$/,
  'firebaserules.admin': /^firebaserules\.(releases|rulesets)\.get$/,
};

test('the roles that tools/prepareDeployer.sh gives to CI permit what the checks before a deploy read', async () => {
  const [, roles = ''] =
    /for ROLE in ([^;]*);/.exec(readFileSync('tools/prepareDeployer.sh', 'utf8')) ?? [];
  const granted = roles.split(/[\s\\]+/).flatMap((role) => ROLES[role] ?? []);
  const all = projectWith(rules(LOCKED));
  const refused: string[] = [];
  const read: ReadGoogle = (address, permission) => {
    if (!granted.some((each) => each.test(permission))) refused.push(permission);
    return all(address, permission);
  };

  for (const check of Object.values(CONFLICTS)) await check(read, DEPLOY);

  expect(refused).toEqual([]);
});
