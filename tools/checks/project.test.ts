import type { CloudFunction } from './resources.ts';
import { conflictsOf, type Deploy, type Project } from './project.ts';

const RULES = 'match /{document=**} { allow read, write: if false; }';

function rules(matches: string): string {
  return `rules_version = '2';
// Ours
service cloud.firestore {
  match /databases/{database}/documents {
    ${matches}
  }
}`;
}

const DEPLOY: Deploy = {
  project: 'p',
  codebase: 'ours',
  region: 'europe-west1',
  functionIds: ['artists-list', 'flash-listByArtist'],
  databaseId: '(default)',
  rules: rules(RULES),
  indexes: {
    indexes: [{ collectionGroup: 'flash', fields: [{ fieldPath: 'order', order: 'ASCENDING' }] }],
    fieldOverrides: [{ collectionGroup: 'flash', fieldPath: 'links' }],
  },
};

const EMPTY: Project = {
  regions: ['europe-west1', 'us-central1'],
  functions: [],
  databaseLocation: 'eur3',
  indexes: [],
  fields: [],
  rules: undefined,
  site: 'p',
  version: undefined,
};

/** A function of others. */
function theirs(id: string, region = 'europe-west1', codebase?: string) {
  const labels = codebase === undefined ? {} : { 'firebase-functions-codebase': codebase };
  return { name: `projects/p/locations/${region}/functions/${id}`, labels } as CloudFunction;
}

/** An index on one field. */
function index(group: string, fieldPath: string, queryScope = 'COLLECTION') {
  const name = `projects/p/databases/(default)/collectionGroups/${group}/indexes/1`;
  const fields = ['__name__', fieldPath]
    .reverse()
    .map((path) => ({ fieldPath: path, order: 'ASCENDING' }));
  return { name, queryScope, fields };
}

function version(serviceId: string) {
  return {
    files: {},
    config: { rewrites: [{ glob: '/api/**', run: { serviceId, region: 'europe-west1' } }] },
  };
}

const field = (path: string) => `projects/p/databases/(default)/collectionGroups/${path}`;

test.each<[string, Partial<Project>, RegExp | null]>([
  ['an empty project', {}, null],
  ['a project without the database', { databaseLocation: undefined }, /^MISSING database/],
  ['no such region', { regions: ['us-east1'] }, /^MISSING region europe-west1: .* in us-east1$/],
  ['a project without the functions API', { regions: [] }, null],
  ['a function of another codebase', { functions: [theirs('mail')] }, null],
  ['one with a name of ours', { functions: [theirs('artists-list')] }, /^ADOPTED .* default$/],
  [
    'one of another codebase',
    { functions: [theirs('artists-list', undefined, 'b')] },
    /^ADOPTED .* b$/,
  ],
  ['one with that name elsewhere', { functions: [theirs('artists-list', 'us-east1')] }, null],
  ['our own function', { functions: [theirs('artists-list', undefined, 'ours')] }, null],
  ['another index', { indexes: [index('orders', 'a')] }, /^DELETED index of orders: a ASCENDING,/],
  [
    'one of a group',
    { indexes: [index('flash', 'order', 'COLLECTION_GROUP')] },
    /^DELETED .*\(collection group\)/,
  ],
  ['our own index', { indexes: [index('flash', 'order')] }, null],
  [
    'a field of others',
    { fields: [field('orders/fields/note')] },
    /^DELETED .* field orders\.note/,
  ],
  ['our own field', { fields: [field('flash/fields/links')] }, null],
  ['other rules', { rules: rules('match /a/{b} { allow read; }') }, /^REPLACED rules/],
  ['rules that ours contain', { rules: rules(`/* locked */ ${RULES}`) }, null],
  ['a release of others', { version: version('shop') }, /^REPLACED site p/],
  ['a release of ours', { version: version('flash-listbyartist') }, null],
])('%s', (_what, found, expected) => {
  const conflicts = conflictsOf(DEPLOY, { ...EMPTY, ...found });

  expect(conflicts).toHaveLength(expected === null ? 0 : 1);
  expect(conflicts.join()).toMatch(expected ?? /^$/);
});
