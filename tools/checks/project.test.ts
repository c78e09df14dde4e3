import { createFakeApis, createProject, type CloudState } from '../deployTest/fakeCloud/apis.ts';
import { Resources } from '../deployTest/fakeCloud/resources.ts';
import type { DeployTarget } from './deployTarget.ts';
import type { ReadGoogle } from './googleApi.ts';
import { CONFLICTS } from './project.ts';

const LOCKED = 'match /{document=**} { allow read, write: if false; }';
const DEPLOY: DeployTarget = {
  project: 'p',
  codebase: 'ours',
  functionIds: ['artists-list', 'flash-reorder'],
  databaseId: '(default)',
  rulesDatabaseId: '(default)',
};

/** A project that has these resources, too; null for what it lacks. */
function projectWith(resources: Readonly<Record<string, object | null>>): ReadGoogle {
  const project = { id: 'p', number: '1' };
  const state: CloudState = {
    project,
    resources: new Resources(),
    uploadedSources: [],
    unhandledRequests: [],
  };
  createProject(state, 'europe-west1');
  for (const [name, resource] of Object.entries(resources)) {
    if (resource === null) state.resources.delete(name);
    else state.resources.put(name, resource);
  }
  const call = createFakeApis(state);
  return (address) => Promise.resolve(call('GET', address));
}

function cloudFunction(id: string, codebase?: string) {
  const labels = codebase === undefined ? {} : { 'firebase-functions-codebase': codebase };
  return { [`projects/p/locations/us-east1/functions/${id}`]: { labels } };
}

function rules(content: string, database = '') {
  return {
    [`projects/p/releases/cloud.firestore${database}`]: { rulesetName: 'projects/p/rulesets/1' },
    'projects/p/rulesets/1': { source: { files: [{ content }] } },
  };
}

function site(headers: Readonly<Record<string, string>>) {
  const version = { files: {}, config: { headers: [{ glob: '**', headers }] } };
  return { 'sites/p/channels/live/releases/1': { version } };
}

const TEST_MODE = 'allow read, write: if request.time < timestamp.date(2026, 12, 25);';
const NAMED = { databaseId: 'live', rulesDatabaseId: 'live' };
const NONE = /^$/;
const LIVE = { 'projects/p/databases/live': {} };

test.each<
  [
    target: keyof typeof CONFLICTS,
    what: string,
    present: Readonly<Record<string, object | null>>,
    conflict: RegExp,
    deploy: Partial<DeployTarget>,
  ]
>([
  ['functions', 'a new project', {}, NONE, {}],
  ['functions', 'ours', cloudFunction('artists-list', 'ours'), NONE, {}],
  ['functions', 'one of others', cloudFunction('mail'), NONE, {}],
  [
    'functions',
    'one of others with a name of ours',
    cloudFunction('artists-list'),
    /^ADOPTED function artists-list in us-east1, of the codebase default:/,
    {},
  ],
  [
    'functions',
    'no database',
    { 'projects/p/databases/(default)': null },
    /^MISSING database \(default\)/,
    {},
  ],
  ['functions', 'a named database', LIVE, NONE, NAMED],
  ['functions', 'rules elsewhere', LIVE, /^DATABASE_ID=live, but .* is /, { databaseId: 'live' }],

  ['firestore', 'no rules', {}, NONE, {}],
  ['firestore', 'locked rules', rules(`/* allow read; */ ${LOCKED}`), NONE, {}],
  ['firestore', 'rules of ours', rules('// codebase: ours\nallow read;'), NONE, {}],
  [
    'firestore',
    'rules that allow something',
    rules(`${LOCKED} allow read;`),
    /^REPLACED rules of/,
    {},
  ],
  ['firestore', 'test mode', rules(TEST_MODE), /if they are those of test mode, first publish/, {}],
  [
    'firestore',
    'no database',
    { 'projects/p/databases/(default)': null },
    /^MISSING database \(default\)/,
    {},
  ],
  ['firestore', 'no rules of a named database', LIVE, NONE, NAMED],
  [
    'firestore',
    'rules of a named database',
    { ...LIVE, ...rules('allow read;', '/live') },
    /^REPLACED rules of live/,
    NAMED,
  ],

  ['hosting', 'a site that was never used', {}, NONE, {}],
  ['hosting', 'a release of ours', site({ 'X-Codebase': 'ours' }), NONE, {}],
  ['hosting', 'a site of others', site({ 'X-Frame-Options': 'DENY' }), /^REPLACED site p:/, {}],
  ['hosting', 'a site beside that of others', site({}), NONE, { site: 'api' }],
])('%s: %s', async (target, _what, present, conflict, deploy) => {
  const found = await CONFLICTS[target](projectWith(present), { ...DEPLOY, ...deploy });

  expect(found.join('\n')).toMatch(conflict);
});
