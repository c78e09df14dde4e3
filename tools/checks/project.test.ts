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
};

const EMPTY: Project = {
  regions: ['europe-west1', 'us-central1'],
  functions: [],
  databaseLocation: 'eur3',
  rules: undefined,
  site: 'p',
  version: undefined,
};

/** A function of others. */
function theirs(id: string, region = 'europe-west1', codebase?: string) {
  const labels = codebase === undefined ? {} : { 'firebase-functions-codebase': codebase };
  return { name: `projects/p/locations/${region}/functions/${id}`, labels } as CloudFunction;
}

function version(serviceId: string) {
  return {
    files: {},
    config: { rewrites: [{ glob: '/api/**', run: { serviceId, region: 'europe-west1' } }] },
  };
}

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
  ['other rules', { rules: rules('match /a/{b} { allow read; }') }, /^REPLACED rules/],
  ['rules that ours contain', { rules: rules(`/* locked */ ${RULES}`) }, null],
  ['a release of others', { version: version('shop') }, /^REPLACED site p/],
  ['a release of ours', { version: version('flash-listbyartist') }, null],
])('%s', (_what, found, expected) => {
  const conflicts = conflictsOf(DEPLOY, { ...EMPTY, ...found });

  expect(conflicts).toHaveLength(expected === null ? 0 : 1);
  expect(conflicts.join()).toMatch(expected ?? /^$/);
});
