/** What in a project is of others, and would be replaced by a deploy. */
import { basename } from 'node:path';
import type { DeployTarget } from './deployTarget.ts';
import type { ReadGoogle } from './googleApi.ts';
import type { CloudFunction, HostingVersion } from './resources.ts';

/** The functions of all regions: the first 1000, which are one page. */
export async function readFunctions(read: ReadGoogle, project: string): Promise<CloudFunction[]> {
  const address = `cloudfunctions.googleapis.com/v2/projects/${project}/locations/-/functions`;
  const found = (await read(`${address}?pageSize=1000`)) as
    { readonly functions?: CloudFunction[] } | undefined;
  return found?.functions ?? [];
}

/** The address of the site that Hosting deploys to. */
export async function readSite(read: ReadGoogle, { project, site }: DeployTarget): Promise<string> {
  if (site !== undefined) return site;
  const found = (await read(`firebase.googleapis.com/v1beta1/projects/${project}`)) as
    { readonly resources?: { readonly hostingSite?: string } } | undefined;
  return found?.resources?.hostingSite ?? project;
}

type Check = (read: ReadGoogle, deploy: DeployTarget) => Promise<string[]>;

/**
 * For each target of a deploy, what it would replace of others or make in the wrong place. Rules and sites of this
 * repository are told by the name of the codebase: in a comment, in a header.
 */
export const CONFLICTS: Readonly<Record<'functions' | 'firestore' | 'hosting', Check>> = {
  async functions(read, deploy) {
    const functions = await readFunctions(read, deploy.project);
    // The CLI treats functions without a label as those of the default codebase.
    const codebaseOf = ({ labels }: CloudFunction) =>
      labels?.['firebase-functions-codebase'] ?? 'default';
    const adopted = functions.filter((each) => {
      return (
        deploy.functionIds.includes(basename(each.name)) && codebaseOf(each) !== deploy.codebase
      );
    });
    return [
      ...(await databaseConflicts(read, deploy)),
      ...adopted.map((each) => {
        const [, , , region = ''] = each.name.split('/');
        return `ADOPTED function ${basename(each.name)} in ${region}, of the codebase ${codebaseOf(each)}: rename it there, or ours in functions/src/index.ts.`;
      }),
    ];
  },

  async firestore(read, deploy) {
    const { codebase, databaseId } = deploy;
    const rules = await readRules(read, deploy);
    const isFree = allowsNothing(rules) || rules.includes(`// codebase: ${codebase}`);
    return [
      ...(await databaseConflicts(read, deploy)),
      ...(isFree
        ? []
        : [
            `REPLACED rules of ${databaseId}: deploy without firestore; if they are those of test mode, first publish rules that allow nothing (Firebase console, Firestore, Rules).`,
          ]),
    ];
  },

  async hosting(read, deploy) {
    const site = await readSite(read, deploy);
    const address = `firebasehosting.googleapis.com/v1beta1/sites/${site}/channels/live/releases`;
    const found = (await read(`${address}?pageSize=1`)) as
      { readonly releases?: readonly { readonly version?: HostingVersion }[] } | undefined;
    const version = found?.releases?.[0]?.version;
    const isOurs = version?.config.headers?.some(
      ({ headers }) => headers['X-Codebase'] === deploy.codebase,
    );
    return version === undefined || isOurs
      ? []
      : [
          `REPLACED site ${site}: create one of its own (npx firebase hosting:sites:create), and add "site" to hosting in firebase.json.`,
        ];
  },
};

async function databaseConflicts(read: ReadGoogle, deploy: DeployTarget): Promise<string[]> {
  const { project, databaseId, rulesDatabaseId } = deploy;
  if (databaseId !== rulesDatabaseId) {
    return [
      `DATABASE_ID=${databaseId}, but firestore.database in firebase.json is ${rulesDatabaseId}.`,
    ];
  }
  const address = `firestore.googleapis.com/v1/projects/${project}/databases/${databaseId}`;
  const found = await read(address);
  return found === undefined
    ? [`MISSING database ${databaseId}: create it first; the CLI would, in the United States.`]
    : [];
}

/** The rules in force; empty if there are none. */
async function readRules(read: ReadGoogle, { project, databaseId }: DeployTarget): Promise<string> {
  const api = 'firebaserules.googleapis.com/v1';
  const id = databaseId === '(default)' ? 'cloud.firestore' : `cloud.firestore/${databaseId}`;
  const release = (await read(`${api}/projects/${project}/releases/${id}`)) as
    { readonly rulesetName: string } | undefined;
  if (release === undefined) return '';
  const { source } = (await read(`${api}/${release.rulesetName}`)) as {
    readonly source: { readonly files: readonly { readonly content: string }[] };
  };
  return source.files.map(({ content }) => content).join('\n');
}

/** Whether each `allow` of some rules is `if false`. */
function allowsNothing(rules: string): boolean {
  const code = rules.replace(/\/\/.*|\/\*[^]*?\*\//g, '');
  const allowed = [...code.matchAll(/\ballow\b([^;]*)/g)];
  return allowed.every(([, what = '']) => /:\s*if\s+false\s*$/.test(what));
}
