/** What every rehearsal starts with: a copy of the repository, and a simulated project to deploy it to. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readProject, type Project } from '../checks/project.ts';
import { startCloud, type Cloud } from './cloud/cloud.ts';
import type { Resource } from './cloud/resources.ts';
import { firebase, runScript, type Answers, type CommandEnd } from './commands.ts';
import { copyRepository } from './repositoryCopy.ts';

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
  /** Runs a check like an operator after `gcloud auth application-default login`. */
  readonly runCheck: (name: 'checkProject' | 'checkDeployed') => Promise<CommandEnd>;
  /** What `npm run check:project` reads of the project. */
  readonly project: () => Promise<Project>;
  /** The indexes of its database, and the settings of single fields. */
  readonly indexes: () => readonly Resource[];
  /** Fails if the simulation did not know a request. */
  readonly stop: () => Promise<void>;
}

/** How a command must end: with this exit status, and with this in its output. */
export function ending(status: number, prints = ''): CommandEnd {
  return { status, output: expect.stringContaining(prints) as string };
}

/**
 * Copies the repository, and starts a project in the state that docs/operating.md describes before the first deploy. The
 * parameters are the defaults except for the region.
 */
export async function startRehearsal(): Promise<Rehearsal> {
  const folder = await copyRepository('rehearsal');
  const read = (path: string) => readFile(join(folder, path), 'utf8');
  const write = (path: string, text: string) => writeFile(join(folder, path), text);
  const example = await read('functions/.env.example');
  await write(PARAMETERS, example.replace(/^REGION=.*$/m, `REGION=${REGION}`));

  const cloud = await startCloud(PROJECT, REGION);
  for (const service of documentedServices(await read('docs/operating.md'))) {
    cloud.resources.put(`projects/${PROJECT}/services/${service}`, { state: 'ENABLED' });
  }
  return {
    folder,
    cloud,
    read,
    change: async (path, by) => write(path, by(await read(path))),
    firebase: (args, answers) => firebase(cloud, folder, args, answers),
    runCheck: async (name) => {
      const credentials = join(folder, 'credentials.json');
      const user = { client_id: 'id', client_secret: 'secret', refresh_token: 'token' };
      await writeFile(credentials, JSON.stringify({ type: 'authorized_user', ...user }));
      const variables = { ...cloud.environment, GOOGLE_APPLICATION_CREDENTIALS: credentials };
      const script = [`tools/checks/${name}.ts`, '--project', PROJECT];
      return runScript(folder, script, { ...process.env, ...variables });
    },
    project: () =>
      readProject(cloud.read, { project: PROJECT, databaseId: '(default)', site: PROJECT }),
    indexes: () =>
      ['indexes', 'fields'].flatMap((kind) =>
        cloud.resources.list(
          `projects/${PROJECT}/databases/(default)/collectionGroups/-/${kind}/-`,
        ),
      ),
    stop: async () => {
      await cloud.stop();
      await rm(folder, { recursive: true });
      expect(cloud.unknown).toEqual([]);
    },
  };
}

/** The services to enable before the first deploy. */
export function documentedServices(operating: string): readonly string[] {
  const [, command = ''] = /gcloud services enable ((?:.*\\\n)*.*)/.exec(operating) ?? [];
  return command.match(/[a-z]+\.googleapis\.com/g) ?? [];
}
