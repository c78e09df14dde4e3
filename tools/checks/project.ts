/** What in a project is of others, and would be replaced by a deploy. */
import { basename } from 'node:path';
import { isSameField, lostIndexes, type FieldOverride } from '../generate/indexes.ts';
import type { Deploy } from './deploy.ts';
import { readAll, type ReadGoogle } from './googleApi.ts';
import type { CloudFunction, HostingVersion } from './resources.ts';

/** The functions of all regions. */
export function readFunctions(read: ReadGoogle, project: string): Promise<CloudFunction[]> {
  const address = `${locationsOf(project)}/-/functions`;
  return readAll(read, address, 'functions', 'cloudfunctions.functions.list');
}

/** The address of the site that Hosting deploys to. */
export async function siteOf(read: ReadGoogle, { project, sites }: Deploy): Promise<string> {
  const [own] = sites;
  if (own?.site !== undefined) return own.site;
  const address = `firebase.googleapis.com/v1beta1/projects/${project}`;
  const found = (await read(address, 'firebase.projects.get')) as
    { readonly resources?: { readonly hostingSite?: string } } | undefined;
  return found?.resources?.hostingSite ?? project;
}

type Check = (read: ReadGoogle, deploy: Deploy) => Promise<string[]>;

/**
 * For each target of a deploy, what it would replace of others or make in the wrong place. Rules and sites of this
 * repository are told by the name of the codebase: in a comment, in a header.
 */
export const CONFLICTS: Readonly<Record<'functions' | 'firestore' | 'hosting', Check>> = {
  async functions(read, deploy) {
    const { project, codebase, region, functionIds } = deploy;
    const [regions, functions, database] = await Promise.all([
      readAll<{ readonly locationId: string }>(
        ...([read, locationsOf(project), 'locations', 'cloudfunctions.locations.list'] as const),
      ),
      readFunctions(read, project),
      databaseConflicts(read, deploy),
    ]);
    const names = regions.map(({ locationId }) => locationId);
    const adopted = functions.filter(({ name, labels }) => {
      return functionIds.includes(basename(name)) && codebaseOf({ labels }) !== codebase;
    });
    return [
      // As long as the API is disabled there are no regions.
      ...(names.length === 0 || names.includes(region)
        ? []
        : [`MISSING region ${region}: set REGION to one of ${names.join(', ')}.`]),
      ...database,
      ...adopted.map(({ name, labels }) => {
        const [, , , place = ''] = name.split('/');
        return `ADOPTED function ${basename(name)} in ${place}, of the codebase ${codebaseOf({ labels })}: rename it there, or ours in functions/src/index.ts.`;
      }),
    ];
  },

  async firestore(read, deploy) {
    const { codebase, databaseId, rules, fieldOverrides } = deploy;
    const mark = `// codebase: ${codebase}`;
    const [database, present, settings] = await Promise.all([
      databaseConflicts(read, deploy),
      readRules(read, deploy),
      readSettings(read, deploy),
    ]);
    const isFree = (text: string) => allowsNothing(text) || text.includes(mark);
    const replaced = settings.filter(({ indexes, ...field }) => {
      const own = fieldOverrides.find((each) => isSameField(each, field));
      return own?.indexes.length === 0 && indexes.length > 0;
    });
    return [
      ...database,
      ...(isFree(rules) ? [] : [`UNMARKED rules: add the comment ${mark} to firestore.rules.`]),
      ...(isFree(present)
        ? []
        : [
            `REPLACED rules of ${databaseId}: deploy without firestore; if they are those of test mode, first publish rules that allow nothing (Firebase console, Firestore, Rules).`,
          ]),
      ...replaced.map(({ collectionGroup, fieldPath }) => {
        return `REPLACED indexes of ${collectionGroup}.${fieldPath}: deploy without firestore, or put them into firestore.indexes.json.`;
      }),
      ...lostIndexes(settings),
    ];
  },

  async hosting(read, deploy) {
    const { codebase, sites } = deploy;
    const [own, ...others] = sites;
    if (own === undefined || own.target !== undefined || others.length > 0) {
      return ['firebase.json has several Hosting sites or a target: leave one, with "site".'];
    }
    const site = await siteOf(read, deploy);
    const address = `firebasehosting.googleapis.com/v1beta1/sites/${site}/channels/live/releases`;
    const found = (await read(`${address}?pageSize=1`, 'firebasehosting.sites.get')) as
      { readonly releases?: readonly { readonly version?: HostingVersion }[] } | undefined;
    const { version } = found?.releases?.[0] ?? {};
    const isMarked = own.headers?.some(({ headers }) =>
      headers.some(({ key, value }) => key === MARK && value === codebase),
    );
    const isOurs = version?.config.headers?.some(({ headers }) => headers[MARK] === codebase);
    return [
      ...(isMarked ? [] : [`UNMARKED site: add the header ${MARK}: ${codebase} to firebase.json.`]),
      ...(version === undefined || isOurs
        ? []
        : [
            `REPLACED site ${site}: create one of its own (npx firebase hosting:sites:create), and add "site" to hosting in firebase.json.`,
          ]),
    ];
  },
};

const MARK = 'X-Codebase';

/** The indexes of the deploy that the database lacks. */
export async function missingIndexes(read: ReadGoogle, deploy: Deploy): Promise<object[]> {
  const address = `${groupsOf(deploy)}/-/indexes`;
  type Stored = Pick<Deploy['indexes'][number], 'queryScope' | 'fields'> & {
    readonly name: string;
  };
  const found = await readAll<Stored>(read, address, 'indexes', 'datastore.indexes.list');
  const keyOf = (group: string, { queryScope, fields }: Pick<Stored, 'queryScope' | 'fields'>) => {
    // Firestore adds the document id at the end.
    const own = fields.filter(({ fieldPath }) => fieldPath !== '__name__');
    return JSON.stringify([group, queryScope, own.map((each) => [each.fieldPath, each.order])]);
  };
  const present = new Set(found.map((index) => keyOf(groupOf(index.name), index)));
  return deploy.indexes.filter((index) => !present.has(keyOf(index.collectionGroup, index)));
}

function locationsOf(project: string): string {
  return `cloudfunctions.googleapis.com/v2/projects/${project}/locations`;
}

function databaseOf({ project, databaseId }: Deploy): string {
  return `firestore.googleapis.com/v1/projects/${project}/databases/${databaseId}`;
}

function groupsOf(deploy: Deploy): string {
  return `${databaseOf(deploy)}/collectionGroups`;
}

/** The collection group in the name of an index or a field. */
function groupOf(name: string): string {
  return name.split('/')[5] ?? '';
}

/** The CLI treats functions without a label as those of the default codebase. */
function codebaseOf({ labels }: { readonly labels: CloudFunction['labels'] }): string {
  return labels?.['firebase-functions-codebase'] ?? 'default';
}

async function databaseConflicts(read: ReadGoogle, deploy: Deploy): Promise<string[]> {
  const { databaseId, ruledDatabaseId } = deploy;
  const found = await read(databaseOf(deploy), 'datastore.databases.getMetadata');
  return [
    ...(databaseId === ruledDatabaseId
      ? []
      : [
          `DATABASE_ID=${databaseId}, but firestore.database in firebase.json is ${ruledDatabaseId}.`,
        ]),
    ...(found === undefined
      ? [`MISSING database ${databaseId}: create it first; the CLI would, in the United States.`]
      : []),
  ];
}

/** The rules in force; empty if there are none. */
async function readRules(read: ReadGoogle, { project, databaseId }: Deploy): Promise<string> {
  const api = 'firebaserules.googleapis.com/v1';
  const id = databaseId === '(default)' ? 'cloud.firestore' : `cloud.firestore/${databaseId}`;
  const address = `${api}/projects/${project}/releases/${id}`;
  const release = (await read(address, 'firebaserules.releases.get')) as
    { readonly rulesetName: string } | undefined;
  if (release === undefined) return '';
  const ruleset = (await read(`${api}/${release.rulesetName}`, 'firebaserules.rulesets.get')) as
    { readonly source: { readonly files: readonly { readonly content: string }[] } } | undefined;
  if (ruleset === undefined) throw new Error(`Google has no ${release.rulesetName}.`);
  return ruleset.source.files.map(({ content }) => content).join('\n');
}

/** Whether each `allow` of some rules is `if false`. */
function allowsNothing(rules: string): boolean {
  const code = rules.replace(/\/\/.*|\/\*[^]*?\*\//g, '');
  const allowed = [...code.matchAll(/\ballow\b([^;]*)/g)];
  return allowed.every(([, what = '']) => /:\s*if\s+false\s*$/.test(what));
}

/** The settings of single fields in the database. */
async function readSettings(read: ReadGoogle, deploy: Deploy): Promise<FieldOverride[]> {
  const address = `${groupsOf(deploy)}/-/fields?filter=indexConfig.usesAncestorConfig:false`;
  const found = await readAll<{
    readonly name: string;
    readonly indexConfig?: {
      readonly indexes?: readonly {
        readonly queryScope: string;
        readonly fields: readonly { readonly order?: string; readonly arrayConfig?: string }[];
      }[];
    };
  }>(read, address, 'fields', 'datastore.indexes.list');
  return found.map(({ name, indexConfig: { indexes = [] } = {} }) => ({
    collectionGroup: groupOf(name),
    fieldPath: basename(name),
    indexes: indexes.map(({ queryScope, fields: [field] }) => ({ queryScope, ...field })),
  }));
}
