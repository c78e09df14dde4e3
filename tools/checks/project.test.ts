import type { CloudFunction, Rewrite } from './resources.ts';
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
  rewrites: [
    { source: '/api/v1/artists', function: { functionId: 'artists-list' } },
    { source: '/shop/**', function: 'Shop' },
    { regex: '/old/.*', run: { serviceId: 'old' } },
    { source: '/app/**', destination: '/app.html' },
  ],
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

/** A release of a site with these rewrites. */
function release(...rewrites: readonly Rewrite[]) {
  return { version: { files: {}, config: { rewrites } } };
}

/** A rewrite to a Cloud Run service, as the CLI writes one to a function. */
function to(serviceId: string, glob = '/other/**', region = 'europe-west1'): Rewrite {
  return { glob, run: { serviceId, region } };
}

const OURS = to('flash-listbyartist');

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
  ['a release of ours', release(OURS, to('artists-list')), null],
  ['a release of others', release(to('shop')), /^REPLACED site p/],
  ['one that also leads to a function of ours', release(OURS, to('shop')), /^REPLACED site/],
  [
    'one that leads to that name elsewhere',
    release(to('artists-list', '/x', 'us-east1')),
    /^REPLACED site/,
  ],
  ['one with pages only', release(), /^REPLACED site/],
  [
    'one before the region was changed',
    release(to('artists-list', '/api/v1/artists', 'us-east1')),
    null,
  ],
  [
    'rewrites of others that stand in firebase.json',
    release(
      OURS,
      to('shop', '/shop/**'),
      { glob: '/shop/**', function: 'shop' },
      { regex: '/old/.*', run: { serviceId: 'old', region: 'us-central1' } },
      { glob: '/app/**', path: '/app.html' },
    ),
    null,
  ],
  ['a path that leads elsewhere', release(OURS, to('shop', '/app/**')), /^REPLACED site/],
  ['other pages on a path', release(OURS, { glob: '/app/**', path: '/b.html' }), /^REPLACED site/],
  ['a pattern of the other kind', release(OURS, to('old', '/old/.*')), /^REPLACED site/],
])('%s', (_what, found, expected) => {
  const conflicts = conflictsOf(DEPLOY, { ...EMPTY, ...found });

  expect(conflicts).toHaveLength(expected === null ? 0 : 1);
  expect(conflicts.join()).toMatch(expected ?? /^$/);
});
