/** What is in a project before a deploy, and what the deploy would do to it. */
import { basename } from 'node:path';
import { serviceOf } from '../../functions/declared/functionNames.ts';
import { readAll, type ReadGoogle } from './googleApi.ts';
import type { CloudFunction, HostingVersion, Rewrite } from './resources.ts';

/** What is in a project. */
export interface Project {
  /** Where functions can run; empty as long as their API is disabled. */
  readonly regions: readonly string[];
  readonly functions: readonly CloudFunction[];
  /** Undefined if the database does not exist. */
  readonly databaseLocation: string | undefined;
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
  /** The Hosting site in firebase.json; without it the default site of the project is used. */
  readonly site?: string | undefined;
  /** Those in firebase.json. */
  readonly rewrites: readonly Rewrite[];
}

/** Reads what is in a project. */
export async function readProject(
  read: ReadGoogle,
  { project, databaseId, site: ownSite }: Pick<Deploy, 'project' | 'databaseId' | 'site'>,
): Promise<Project> {
  const site = ownSite ?? (await defaultSite(read, project));
  const [regions, functions, database, rules, releases] = await Promise.all([
    readAll<{ locationId: string }>(read, locationsOf(project), 'locations'),
    readFunctions(read, project),
    read(`firestore.googleapis.com/v1/projects/${project}/databases/${databaseId}`),
    readRules(read, project, databaseId),
    read(`firebasehosting.googleapis.com/v1beta1/sites/${site}/channels/live/releases?pageSize=1`),
  ]);
  return {
    regions: regions.map(({ locationId }) => locationId),
    functions,
    databaseLocation: (database as { locationId: string } | undefined)?.locationId,
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

/**
 * What of others a deploy would adopt or replace, or make in the wrong place. What it would delete (indexes, settings of
 * fields) the CLI asks about itself.
 */
export function conflictsOf(deploy: Deploy, found: Project): string[] {
  const { region, databaseId } = deploy;
  const { regions, databaseLocation, rules, version, site } = found;
  const isRegion = regions.length === 0 || regions.includes(region);
  return [
    ...(isRegion ? [] : [`MISSING region ${region}: functions can run in ${regions.join(', ')}`]),
    ...(databaseLocation === undefined
      ? [`MISSING database ${databaseId}: the CLI would create it in nam5 (United States)`]
      : []),
    ...adoptedFunctions(deploy, found.functions.map(presentFunction)),
    ...(isReplaced(deploy, rules) ? [`REPLACED rules of ${databaseId}`] : []),
    ...(isOfOthers(deploy, version) ? [`REPLACED site ${site}`] : []),
  ];
}

/** A function of a project, as the CLI lists it. */
export interface PresentFunction {
  readonly id: string;
  readonly region: string;
  readonly codebase: string;
}

function presentFunction({ name, labels }: CloudFunction): PresentFunction {
  const [, , , region = ''] = name.split('/');
  // The CLI treats functions without a label as those of the default codebase.
  return {
    id: basename(name),
    region,
    codebase: labels?.['firebase-functions-codebase'] ?? 'default',
  };
}

/** Functions of another codebase with a name of ours. */
export function adoptedFunctions(
  { codebase, region, functionIds }: Pick<Deploy, 'codebase' | 'region' | 'functionIds'>,
  functions: readonly PresentFunction[],
): string[] {
  return functions
    .filter((each) => each.codebase !== codebase && each.region === region)
    .filter(({ id }) => functionIds.includes(id))
    .map((each) => `ADOPTED function ${each.id} of the codebase ${each.codebase}`);
}

/** Whether rules lose something: those in force must be a part of the new ones. */
function isReplaced(deploy: Deploy, rules: string | undefined): boolean {
  return rules !== undefined && !compact(deploy.rules).includes(matchesOf(compact(rules)));
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

/** Whether a deploy takes anything from a site: all its rewrites must be ours, or among those that it brings. */
function isOfOthers(
  { functionIds, region, rewrites }: Deploy,
  version: HostingVersion | undefined,
): boolean {
  if (version === undefined) return false;
  const services = functionIds.map(serviceOf);
  const brought = new Set(rewrites.map(textOf));
  const present = version.config.rewrites ?? [];
  const areOurs = present.every((rewrite) => {
    const { run } = rewrite;
    const isOurs = run?.region === region && services.includes(run.serviceId);
    return isOurs || brought.has(textOf(rewrite));
  });
  // A release of ours has rewrites.
  return !areOurs || present.length === 0;
}

/** What leads where, in firebase.json and in a release alike. */
function textOf(rewrite: Rewrite): string {
  const { source, glob = source, regex, destination, path = destination } = rewrite;
  const { function: named, run } = rewrite;
  const service = run?.serviceId ?? (typeof named === 'object' ? named.functionId : named);
  return JSON.stringify([glob, regex, path, service && serviceOf(service)]);
}
