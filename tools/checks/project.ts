/** What is in a project before a deploy, and what the deploy would do to it. */
import { basename } from 'node:path';
import { readAll, type ReadGoogle } from './googleApi.ts';
import type { CloudFunction, HostingVersion, IndexFile, StoredIndex } from './resources.ts';

/** What is in a project. */
export interface Project {
  /** Where functions can run; empty as long as their API is disabled. */
  readonly regions: readonly string[];
  readonly functions: readonly CloudFunction[];
  /** Undefined if the database does not exist. */
  readonly databaseLocation: string | undefined;
  readonly indexes: readonly StoredIndex[];
  /** The resource names of fields with settings of their own. */
  readonly fields: readonly string[];
  /** The rules in force, if any. */
  readonly rules: string | undefined;
  /** The Hosting site of the deploy, and its live version, if any. */
  readonly site: string;
  readonly version: HostingVersion | undefined;
}

/** What a deploy brings. */
export interface Deploy {
  readonly project: string;
  readonly codebase: string;
  readonly region: string;
  readonly functionIds: readonly string[];
  readonly databaseId: string;
  readonly rules: string;
  readonly indexes: IndexFile;
  /** The Hosting site in firebase.json; without it the default site of the project is used. */
  readonly site?: string | undefined;
}

/** Reads what is in a project. */
export async function readProject(
  read: ReadGoogle,
  { project, databaseId, site: ownSite }: Pick<Deploy, 'project' | 'databaseId' | 'site'>,
): Promise<Project> {
  const database = `firestore.googleapis.com/v1/projects/${project}/databases/${databaseId}`;
  const filter = encodeURIComponent('indexConfig.usesAncestorConfig=false OR ttlConfig:*');
  const site = ownSite ?? (await defaultSite(read, project));
  const [regions, functions, described, indexes, fields, rules, releases] = await Promise.all([
    readAll<{ locationId: string }>(read, locationsOf(project), 'locations'),
    readFunctions(read, project),
    read(database),
    readAll<StoredIndex>(read, `${database}/collectionGroups/-/indexes`, 'indexes'),
    readAll<{ name: string }>(
      read,
      `${database}/collectionGroups/-/fields?filter=${filter}`,
      'fields',
    ),
    readRules(read, project, databaseId),
    read(`firebasehosting.googleapis.com/v1beta1/sites/${site}/channels/live/releases?pageSize=1`),
  ]);
  return {
    regions: regions.map(({ locationId }) => locationId),
    functions,
    databaseLocation: (described as { locationId: string } | undefined)?.locationId,
    indexes,
    fields: fields.map(({ name }) => name).filter((name) => !name.includes('/__default__/')),
    rules,
    site,
    version: (releases as { releases?: readonly { version?: HostingVersion }[] } | undefined)
      ?.releases?.[0]?.version,
  };
}

/** The functions of all regions. */
export function readFunctions(read: ReadGoogle, project: string): Promise<CloudFunction[]> {
  return readAll(read, `${locationsOf(project)}/-/functions`, 'functions');
}

function locationsOf(project: string): string {
  return `cloudfunctions.googleapis.com/v2/projects/${project}/locations`;
}

/** The site that Hosting deploys to if firebase.json names none. */
export async function defaultSite(read: ReadGoogle, project: string): Promise<string> {
  const found = (await read(`firebase.googleapis.com/v1beta1/projects/${project}`)) as
    { readonly resources?: { readonly hostingSite?: string } } | undefined;
  return found?.resources?.hostingSite ?? project;
}

async function readRules(
  read: ReadGoogle,
  project: string,
  databaseId: string,
): Promise<string | undefined> {
  const api = 'firebaserules.googleapis.com/v1';
  const id = databaseId === '(default)' ? 'cloud.firestore' : `cloud.firestore/${databaseId}`;
  const release = (await read(`${api}/projects/${project}/releases/${id}`)) as
    { readonly rulesetName: string } | undefined;
  if (release === undefined) return undefined;
  const ruleset = (await read(`${api}/${release.rulesetName}`)) as {
    readonly source: { readonly files: readonly { readonly content: string }[] };
  };
  return ruleset.source.files.map(({ content }) => content).join('\n');
}

/** What a deploy does to something in the project that is not part of it. */
export interface Effect {
  readonly what: 'kept' | 'ADOPTED' | 'DELETED' | 'REPLACED' | 'MISSING';
  readonly text: string;
}

/** The effects of a deploy on what is in a project, except for what it brought there itself. */
export function effectsOf(deploy: Deploy, found: Project): Effect[] {
  return [
    ...regionEffects(deploy, found),
    ...functionEffects(deploy, found),
    ...databaseEffects(deploy, found),
    ...rulesEffects(deploy, found),
    ...siteEffects(deploy, found),
  ];
}

/** Whether an effect should be prevented before a deploy. */
export function isConflict({ what }: Effect): boolean {
  return what !== 'kept';
}

function regionEffects({ region }: Deploy, { regions }: Project): Effect[] {
  if (regions.length === 0 || regions.includes(region)) return [];
  return [
    { what: 'MISSING', text: `region ${region}: functions can run in ${regions.join(', ')}` },
  ];
}

function functionEffects(
  { codebase, region, functionIds }: Deploy,
  { functions }: Project,
): Effect[] {
  return functions.flatMap(({ name, labels }): Effect[] => {
    const id = basename(name);
    const where = name.split('/')[3] ?? '';
    // The CLI treats functions without a label as those of the default codebase.
    const owner = labels?.['firebase-functions-codebase'] ?? 'default';
    if (owner === codebase) return [];
    const text = `function ${id} in ${where}, of the codebase ${owner}`;
    return where === region && functionIds.includes(id)
      ? [{ what: 'ADOPTED', text: `${text}: it gets the code of ours with its name` }]
      : [{ what: 'kept', text }];
  });
}

function databaseEffects(
  { databaseId, region, indexes: file }: Deploy,
  { databaseLocation, indexes, fields }: Project,
): Effect[] {
  if (databaseLocation === undefined) {
    const text = `database ${databaseId}: the CLI would create it in nam5 (United States)`;
    return [{ what: 'MISSING', text }];
  }
  const own = declaredIndexes(file);
  const others = storedIndexes({ indexes, fields }).filter((text) => !own.includes(text));
  const where = `in ${databaseLocation}; the functions run in ${region}`;
  return [
    { what: 'kept', text: `database ${databaseId} ${where}` },
    ...others.map((text): Effect => ({
      what: 'DELETED',
      text: `${text}, if you agree or use --force`,
    })),
  ];
}

/** The indexes and settings of single fields in firestore.indexes.json, as texts. */
export function declaredIndexes({ indexes, fieldOverrides }: IndexFile): string[] {
  return [
    ...indexes.map((each) => indexText(each.collectionGroup, each)),
    ...fieldOverrides.map((each) => fieldText(each.collectionGroup, each.fieldPath)),
  ];
}

/** Those of a database, as the same texts. */
export function storedIndexes({ indexes, fields }: Pick<Project, 'indexes' | 'fields'>): string[] {
  return [
    ...indexes.map((each) => indexText(each.name.split('/')[5] ?? '', each)),
    ...fields
      .map((name) => name.split('/'))
      .map((parts) => fieldText(parts[5] ?? '', parts[7] ?? '')),
  ];
}

/** `index of flash: artistId ASCENDING, order ASCENDING` */
function indexText(
  collectionGroup: string,
  {
    fields,
    queryScope = 'COLLECTION',
  }: Pick<StoredIndex, 'fields'> & { readonly queryScope?: string },
): string {
  const paths = fields
    .filter(({ fieldPath }) => fieldPath !== '__name__')
    .map(({ fieldPath, order, arrayConfig = 'VECTOR' }) => `${fieldPath} ${order ?? arrayConfig}`);
  const scope = queryScope === 'COLLECTION' ? '' : ' (collection group)';
  return `index of ${collectionGroup}${scope}: ${paths.join(', ')}`;
}

function fieldText(collectionGroup: string, fieldPath: string): string {
  return `settings of the field ${collectionGroup}.${fieldPath}`;
}

function rulesEffects(deploy: Deploy, { rules }: Project): Effect[] {
  if (rules === undefined) return [];
  const text = `rules of ${deploy.databaseId}`;
  return compact(deploy.rules).includes(matchesOf(compact(rules)))
    ? [{ what: 'kept', text: `${text}: they are a part of the new ones` }]
    : [{ what: 'REPLACED', text: `${text}, without a question` }];
}

/** Rules without comments and white space. */
function compact(rules: string): string {
  return rules.replace(/\/\/.*|\/\*[^]*?\*\/|\s+/g, '');
}

/** What compact rules say about the documents of a database. */
function matchesOf(rules: string): string {
  const [, matches] =
    /servicecloud\.firestore\{match\/databases\/\{\w+\}\/documents\{(.*)\}\}$/.exec(rules) ?? [];
  return matches ?? rules;
}

function siteEffects({ functionIds }: Deploy, { site, version }: Project): Effect[] {
  const services = new Set(functionIds.map((id) => id.toLowerCase()));
  const isOurs = version?.config.rewrites?.some(
    ({ run }) => run !== undefined && services.has(run.serviceId),
  );
  if (version === undefined || isOurs) return [];
  return [{ what: 'REPLACED', text: `site ${site}, without a question` }];
}
