/** The set-up of all deploy tests: a copy of the repository, and a fake project to deploy it to. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CloudFunction } from '../checks/resources.ts';
import { getLiveVersion } from './fakeCloud/apis.ts';
import { startFakeCloud } from './fakeCloud/fakeCloud.ts';
import { asDeployer, firebase, runScript, type Answers, type CommandEnd } from './commands.ts';
import { copyRepository } from '../../dev/repositoryCopy.ts';

export const PROJECT = 'tattoo-deploy-test';

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
export type DeployTest = Awaited<ReturnType<typeof startDeployTest>>;

/** What a deploy can change in a project. */
export type ProjectState = ReturnType<DeployTest['project']>;

/** How a command must end: with this exit status, and with this in its output. */
export function ending(status: number, prints = ''): CommandEnd {
  return { status, output: expect.stringContaining(prints) as string };
}

/**
 * Copies the repository, and starts a project in the state that tools/setUpProject.sh leaves. The parameters are the
 * defaults except for the region.
 */
export async function startDeployTest() {
  const folder = await copyRepository('deploy-test');
  const read = (path: string) => readFile(join(folder, path), 'utf8');
  const write = (path: string, text: string) => writeFile(join(folder, path), text);
  const example = await read('functions/.env.example');
  await write(PARAMETERS, example.replace(/^REGION=.*$/m, `REGION=${REGION}`));

  const cloud = await startFakeCloud(PROJECT, REGION);
  for (const service of preparedServices(await read('tools/setUpProject.sh'))) {
    cloud.resources.put(`projects/${PROJECT}/services/${service}`, { state: 'ENABLED' });
  }
  return {
    folder,
    cloud,
    read,
    change: async (path: string, by: (text: string) => string) => write(path, by(await read(path))),
    /** Runs the firebase CLI in the copy. */
    firebase: (args: readonly string[], answers?: Answers) =>
      firebase(cloud, folder, args, answers),
    /** Runs a check, signed in as the CLI is. */
    runCheck: async (name: 'checkProject' | 'checkDeployed') => {
      const script = [`tools/checks/${name}.ts`, '--project', PROJECT];
      return runScript(folder, script, await asDeployer(cloud, folder));
    },
    /** What the project has. */
    project: () => {
      const list = (name: string) => cloud.resources.list(`projects/${PROJECT}/${name}`);
      const groups = 'databases/(default)/collectionGroups/-';
      return {
        functions: list('locations/-/functions/-') as CloudFunction[],
        rules: list('releases/-'),
        /** The indexes of the database, and the settings of single fields. */
        indexes: [...list(`${groups}/indexes/-`), ...list(`${groups}/fields/-`)],
        /** What is live at the default site. */
        version: getLiveVersion(cloud, PROJECT),
      };
    },
    /** Fails if the simulation did not know a request. */
    stop: async () => {
      await cloud.stop();
      await rm(folder, { recursive: true });
      expect(cloud.unhandledRequests).toEqual([]);
    },
  };
}

/** The services that are enabled before the first deploy. */
export function preparedServices(script: string): readonly string[] {
  const [, command = ''] = /gcloud services enable ((?:.*\\\n)*.*)/.exec(script) ?? [];
  return command.match(/[a-z]+\.googleapis\.com/g) ?? [];
}
