import { readFileSync } from 'node:fs';
import {
  createFakeApis,
  createProject,
  type CloudState,
} from '../../test/support/google/cloud/apis.ts';
import { Resources } from '../../test/support/google/cloud/resources.ts';
import { CONFLICT_CHECKS } from './conflicts.ts';
import type { DeployTarget } from './deployTarget.ts';
import type { ReadGoogle } from './googleApi.ts';

const TARGET: DeployTarget = {
  project: 'p',
  codebase: 'own',
  functionIds: ['artists-list', 'flash-reorder'],
  databaseId: '(default)',
  rulesDatabaseId: '(default)',
};

type ResourcesByName = Readonly<Record<string, object | null>>;

/** Creates a new project with additional resources; null removes a resource. */
function createProjectWith(resources: ResourcesByName): ReadGoogle {
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

function createFunction(id: string, codebase?: string): ResourcesByName {
  const labels = codebase === undefined ? {} : { 'firebase-functions-codebase': codebase };
  return { [`projects/p/locations/us-east1/functions/${id}`]: { labels } };
}

function createDatabase(id: string, resource: object | null): ResourcesByName {
  return { [`projects/p/databases/${id}`]: resource };
}

function createRules(content: string, databaseSuffix = ''): ResourcesByName {
  return {
    [`projects/p/releases/cloud.firestore${databaseSuffix}`]: {
      rulesetName: 'projects/p/rulesets/1',
    },
    'projects/p/rulesets/1': { source: { files: [{ content }] } },
  };
}

/** Creates the rules of the Firebase console with other statements for all documents. */
function createConsoleRules(statements: string): string {
  return `rules_version = '2';

service cloud.firestore {
  match /databases/{database}/documents {
    match /{document=**} {
      ${statements}
    }
  }
}
`;
}

/** Creates releases of the default site, the oldest first. */
function createReleases(...oldestFirst: readonly object[]): ResourcesByName {
  return Object.fromEntries(
    oldestFirst.map((release, index) => [`sites/p/channels/live/releases/${index}`, release]),
  );
}

function createVersion(headers: Readonly<Record<string, string>>): object {
  return { version: { files: {}, config: { headers: [{ glob: '**', headers }] } } };
}

const DENY_ALL = 'allow read, write: if false;';
const OTHER_RULES = /^CONFLICT rules of \(default\): this repository did not deploy them\./;
const NAMED = { databaseId: 'live', rulesDatabaseId: 'live' };
const LIVE = createDatabase('live', {});
const NONE = /^$/;
const OWN_RELEASE = createVersion({ 'X-Codebase': 'own' });
const OTHER_RELEASE = createVersion({ 'X-Frame-Options': 'DENY' });
const DISABLED = { type: 'SITE_DISABLE' };

test.each<{
  name: string;
  check: keyof typeof CONFLICT_CHECKS;
  resources: ResourcesByName;
  conflict: RegExp;
  target?: Partial<DeployTarget>;
}>([
  { name: 'a new project', check: 'functions', resources: {}, conflict: NONE },
  {
    name: 'a function of this repository',
    check: 'functions',
    resources: createFunction('artists-list', 'own'),
    conflict: NONE,
  },
  {
    name: 'a function with another name',
    check: 'functions',
    resources: createFunction('mail'),
    conflict: NONE,
  },
  {
    name: 'a function of another codebase with the same name',
    check: 'functions',
    resources: createFunction('artists-list'),
    conflict:
      /^CONFLICT function artists-list in us-east1, of the codebase default: it has the name of/,
  },
  {
    name: 'a function of another codebase with the same Cloud Run service',
    check: 'functions',
    resources: createFunction('Artists_List', 'shop'),
    conflict:
      /^CONFLICT function Artists_List in us-east1, of the codebase shop: its Cloud Run service is artists-list, like that of artists-list\./,
  },
  {
    name: 'a missing database',
    check: 'functions',
    resources: createDatabase('(default)', null),
    conflict: /^MISSING database \(default\): create it first/,
  },
  {
    name: 'a database in Datastore mode',
    check: 'functions',
    resources: createDatabase('(default)', { type: 'DATASTORE_MODE' }),
    conflict: /^CONFLICT database \(default\): it is in Datastore mode/,
  },
  {
    name: 'a database of the Enterprise edition',
    check: 'functions',
    resources: createDatabase('(default)', { databaseEdition: 'ENTERPRISE' }),
    conflict: /^CONFLICT database \(default\): its edition is ENTERPRISE/,
  },
  { name: 'a named database', check: 'functions', resources: LIVE, conflict: NONE, target: NAMED },
  {
    name: 'rules for another database',
    check: 'functions',
    resources: LIVE,
    conflict: /^CONFLICT DATABASE_ID=live, but firestore.database in firebase.json is \(default\)/,
    target: { databaseId: 'live' },
  },

  { name: 'no rules', check: 'firestore', resources: {}, conflict: NONE },
  {
    name: 'the rules of firestore.rules',
    check: 'firestore',
    resources: createRules(readFileSync('firestore.rules', 'utf8')),
    conflict: NONE,
  },
  {
    name: 'earlier rules of this repository',
    check: 'firestore',
    resources: createRules('// codebase: own\nallow read;'),
    conflict: NONE,
  },
  {
    name: 'the rules of a new database',
    check: 'firestore',
    resources: createRules(createConsoleRules(DENY_ALL)),
    conflict: NONE,
  },
  ...[
    {
      name: 'rules of test mode',
      text: 'allow read, write: if request.time < timestamp.date(2026, 12, 25);',
    },
    { name: 'rules with a statement without a semicolon', text: `allow read\n      ${DENY_ALL}` },
    { name: 'rules with // in a string', text: `allow read: if 'https://' != ''; ${DENY_ALL}` },
    { name: 'rules with /* in a string', text: `allow read: if '/*' != ''; /* */ ${DENY_ALL}` },
    { name: 'rules that deny all access in other words', text: 'allow read, write: if (false)' },
    { name: 'rules of another codebase', text: `// codebase: own-shop\n${DENY_ALL}` },
  ].map(({ name, text }) => ({
    name,
    check: 'firestore' as const,
    resources: createRules(createConsoleRules(text)),
    conflict: OTHER_RULES,
  })),
  {
    name: 'a missing database',
    check: 'firestore',
    resources: createDatabase('(default)', null),
    conflict: /^MISSING database \(default\)/,
  },
  {
    name: 'no rules of a named database',
    check: 'firestore',
    resources: LIVE,
    conflict: NONE,
    target: NAMED,
  },
  {
    name: 'other rules of a named database',
    check: 'firestore',
    resources: { ...LIVE, ...createRules('allow read;', '/live') },
    conflict: /^CONFLICT rules of live/,
    target: NAMED,
  },

  { name: 'a site without releases', check: 'hosting', resources: {}, conflict: NONE },
  {
    name: 'a release of this repository',
    check: 'hosting',
    resources: createReleases(OTHER_RELEASE, OWN_RELEASE),
    conflict: NONE,
  },
  {
    name: 'a release of another repository',
    check: 'hosting',
    resources: createReleases(OTHER_RELEASE),
    conflict: /^CONFLICT site p: this repository did not deploy its content\./,
  },
  {
    name: 'a release without configuration',
    check: 'hosting',
    resources: createReleases({ version: { files: {} } }),
    conflict: /^CONFLICT site p: this repository did not deploy its content\./,
  },
  {
    name: 'a release with a header rule without headers',
    check: 'hosting',
    resources: createReleases({ version: { files: {}, config: { headers: [{ glob: '**' }] } } }),
    conflict: /^CONFLICT site p: this repository did not deploy its content\./,
  },
  {
    name: 'a disabled site',
    check: 'hosting',
    resources: createReleases(OTHER_RELEASE, DISABLED),
    conflict: /^CONFLICT site p: it is disabled, and a deploy would enable it\./,
  },
  {
    name: 'a site that was disabled after a release of this repository',
    check: 'hosting',
    resources: createReleases(OWN_RELEASE, DISABLED),
    conflict: NONE,
  },
  {
    name: 'a site of its own beside another site',
    check: 'hosting',
    resources: createReleases(OTHER_RELEASE),
    conflict: NONE,
    target: { site: 'api' },
  },
])(
  'the check of $check returns the conflict, or none, for $name',
  async ({ check, resources, conflict, target }) => {
    const conflicts = await CONFLICT_CHECKS[check](createProjectWith(resources), {
      ...TARGET,
      ...target,
    });

    expect(conflicts.join('\n')).toMatch(conflict);
  },
);
