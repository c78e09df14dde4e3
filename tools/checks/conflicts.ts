/** Finds the resources of a project that this repository does not own and a deploy would overwrite. */
import { basename } from 'node:path';
import { toCloudRunServiceName } from '@tattoo-marketplace/endpoints';
import type { DeployTarget } from './deployTarget.ts';
import type { ReadGoogle } from './googleApi.ts';
import { isKnownRules } from './knownRules.ts';
import {
  readFunctions,
  readReleases,
  readSite,
  type CloudFunction,
  type HostingVersion,
} from './resources.ts';

type ConflictCheck = (read: ReadGoogle, target: DeployTarget) => Promise<string[]>;

/**
 * The check of each target of a deploy: it returns a sentence for each conflict. Rules and sites of this repository contain
 * the name of its codebase, in a comment or a header.
 */
export const CONFLICT_CHECKS: Readonly<
  Record<'functions' | 'firestore' | 'hosting', ConflictCheck>
> = {
  async functions(read, target) {
    const functions = await readFunctions(read, target.project);
    return [
      ...(await findDatabaseConflicts(read, target)),
      ...functions.flatMap((cloudFunction) => findFunctionConflicts(cloudFunction, target)),
    ];
  },

  async firestore(read, target) {
    const rules = await readRules(read, target);
    const isReplaceable = rules === undefined || isKnownRules(rules) || isOwn(rules, target);
    return [
      ...(await findDatabaseConflicts(read, target)),
      ...(isReplaceable
        ? []
        : [
            `CONFLICT rules of ${target.databaseId}: this repository did not deploy them. Deploy without firestore. If nobody needs these rules, first publish the text of firestore.rules in their place (Firebase console, Firestore, Rules).`,
          ]),
    ];
  },

  async hosting(read, target) {
    const site = await readSite(read, target);
    const releases = await readReleases(read, site);
    if (releases.length === 0) return [];
    const version = releases.find((release) => release.version !== undefined)?.version;
    if (version !== undefined && hasCodebaseHeader(version, target)) return [];
    const reason =
      releases[0]?.version === undefined
        ? 'it is disabled, and a deploy would enable it'
        : 'this repository did not deploy its content';
    return [
      `CONFLICT site ${site}: ${reason}. Create another site (npx firebase hosting:sites:create), and add "site" to hosting in firebase.json.`,
    ];
  },
};

function findFunctionConflicts(
  cloudFunction: CloudFunction,
  { codebase, functionIds }: DeployTarget,
): string[] {
  const [, , , region = ''] = cloudFunction.name.split('/');
  const id = basename(cloudFunction.name);
  // The Firebase CLI assigns functions without this label to the codebase "default".
  const otherCodebase = cloudFunction.labels?.['firebase-functions-codebase'] ?? 'default';
  if (otherCodebase === codebase) return [];
  const conflict = `CONFLICT function ${id} in ${region}, of the codebase ${otherCodebase}`;
  if (functionIds.includes(id)) {
    return [
      `${conflict}: it has the name of a function of this repository. Rename that function, or the one in functions/src/index.ts.`,
    ];
  }
  const service = toCloudRunServiceName(id);
  const sameService = functionIds.find((ownId) => toCloudRunServiceName(ownId) === service);
  return sameService === undefined
    ? []
    : [
        `${conflict}: its Cloud Run service is ${service}, like that of ${sameService}. Rename that function, or the one in functions/src/index.ts.`,
      ];
}

async function findDatabaseConflicts(read: ReadGoogle, target: DeployTarget): Promise<string[]> {
  const { project, databaseId, rulesDatabaseId } = target;
  if (databaseId !== rulesDatabaseId) {
    return [
      `CONFLICT DATABASE_ID=${databaseId}, but firestore.database in firebase.json is ${rulesDatabaseId}: use the same database.`,
    ];
  }
  const address = `firestore.googleapis.com/v1/projects/${project}/databases/${databaseId}`;
  const database = (await read(address)) as
    { readonly type?: string; readonly databaseEdition?: string } | undefined;
  if (database === undefined) {
    return [
      `MISSING database ${databaseId}: create it first (otherwise the Firebase CLI creates it in the United States, and its location cannot be changed).`,
    ];
  }
  if (database.type === 'DATASTORE_MODE') {
    return [
      `CONFLICT database ${databaseId}: it is in Datastore mode, which this repository does not support. Create a named database in native mode, and set DATABASE_ID.`,
    ];
  }
  const { databaseEdition = 'STANDARD' } = database;
  return databaseEdition === 'STANDARD'
    ? []
    : [
        `CONFLICT database ${databaseId}: its edition is ${databaseEdition}, which this repository was not made for: it may be in MongoDB mode, and creates no indexes by itself. Create a named database of the Standard edition, and set DATABASE_ID.`,
      ];
}

/** Reads the rules in force; undefined if there are none. */
async function readRules(
  read: ReadGoogle,
  { project, databaseId }: DeployTarget,
): Promise<string | undefined> {
  const api = 'firebaserules.googleapis.com/v1';
  const id = databaseId === '(default)' ? 'cloud.firestore' : `cloud.firestore/${databaseId}`;
  const release = (await read(`${api}/projects/${project}/releases/${id}`)) as
    { readonly rulesetName: string } | undefined;
  if (release === undefined) return undefined;
  const { source } = (await read(`${api}/${release.rulesetName}`)) as {
    readonly source: { readonly files: readonly { readonly content: string }[] };
  };
  return source.files.map(({ content }) => content).join('\n');
}

/** Returns whether rules name the codebase of this repository in a line of its own. */
function isOwn(rules: string, { codebase }: DeployTarget): boolean {
  return rules.split(/\r?\n/).includes(`// codebase: ${codebase}`);
}

function hasCodebaseHeader({ config }: HostingVersion, { codebase }: DeployTarget): boolean {
  return config?.headers?.some(({ headers }) => headers?.['X-Codebase'] === codebase) ?? false;
}
