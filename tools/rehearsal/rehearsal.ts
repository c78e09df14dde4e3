/** What every rehearsal starts with: a copy of the repository, and a simulated project to deploy it to. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CloudFunction, HostingVersion } from '../checks/resources.ts';
import { liveVersion, rulesInForce } from './cloud/apis.ts';
import { startCloud, type Cloud } from './cloud/cloud.ts';
import type { Resource } from './cloud/resources.ts';
import { asDeployer, firebase, runScript, type Answers, type CommandEnd } from './commands.ts';
import { copyRepository } from '../../dev/repositoryCopy.ts';

export const PROJECT = 'tattoo-rehearsal';

/** Not the default, so that a hard-coded region is found. */
export const REGION = 'europe-west1';

/** The parameter file of the project. */
export const PARAMETERS = `functions/.env.${PROJECT}`;

/** A deploy at a terminal: the CLI asks how long the platform keeps the images of builds, and about retried functions. */
export const AT_TERMINAL: Answers = {
  'How many days do you want to keep container images': '',
  'Would you like to proceed with deployment?': 'y',
};

/** A copy of the repository, because the CLI writes into its working folder, and a simulated project. */
export interface Rehearsal {
  readonly folder: string;
  readonly cloud: Cloud;
  readonly read: (path: string) => Promise<string>;
  readonly change: (path: string, by: (text: string) => string) => Promise<void>;
  /** Runs the firebase CLI in the copy. */
  readonly firebase: (args: readonly string[], answers?: Answers) => Promise<CommandEnd>;
  /** Runs a check, signed in as the CLI is. */
  readonly runCheck: (
    name: 'checkProject' | 'checkDeployed',
    ...args: string[]
  ) => Promise<CommandEnd>;
  /** What the project has. */
  readonly project: () => ProjectState;
  /** Fails if the simulation did not know a request. */
  readonly stop: () => Promise<void>;
}

/** What a deploy can change in a project. */
export interface ProjectState {
  readonly functions: readonly CloudFunction[];
  readonly rules: string | undefined;
  /** The indexes of the database, and the settings of single fields. */
  readonly indexes: readonly Resource[];
  /** What is live at the default site. */
  readonly version: HostingVersion | undefined;
}

/** How a command must end: with this exit status, and with this in its output. */
export function ending(status: number, prints = ''): CommandEnd {
  return { status, output: expect.stringContaining(prints) as string };
}

/**
 * Copies the repository, and starts a project in the state that tools/prepareProject.sh leaves. The parameters are the
 * defaults except for the region.
 */
export async function startRehearsal(): Promise<Rehearsal> {
  const folder = await copyRepository('rehearsal');
  const read = (path: string) => readFile(join(folder, path), 'utf8');
  const write = (path: string, text: string) => writeFile(join(folder, path), text);
  const example = await read('functions/.env.example');
  await write(PARAMETERS, example.replace(/^REGION=.*$/m, `REGION=${REGION}`));

  const cloud = await startCloud(PROJECT, REGION);
  for (const service of preparedServices(await read('tools/prepareProject.sh'))) {
    cloud.resources.put(`projects/${PROJECT}/services/${service}`, { state: 'ENABLED' });
  }
  return {
    folder,
    cloud,
    read,
    change: async (path, by) => write(path, by(await read(path))),
    firebase: (args, answers) => firebase(cloud, folder, args, answers),
    runCheck: async (name, ...args) => {
      const script = [`tools/checks/${name}.ts`, '--project', PROJECT, ...args];
      return runScript(folder, script, await asDeployer(cloud, folder));
    },
    project: () => {
      const list = (name: string) => cloud.resources.list(`projects/${PROJECT}/${name}`);
      const groups = 'databases/(default)/collectionGroups/-';
      return {
        functions: list('locations/-/functions/-') as CloudFunction[],
        rules: rulesInForce(cloud),
        indexes: [...list(`${groups}/indexes/-`), ...list(`${groups}/fields/-`)],
        version: liveVersion(cloud, PROJECT),
      };
    },
    stop: async () => {
      await cloud.stop();
      await rm(folder, { recursive: true });
      expect(cloud.unknown).toEqual([]);
    },
  };
}

/** The services that are enabled before the first deploy. */
export function preparedServices(script: string): readonly string[] {
  const [, command = ''] = /gcloud services enable ((?:.*\\\n)*.*)/.exec(script) ?? [];
  return command.match(/[a-z]+\.googleapis\.com/g) ?? [];
}
