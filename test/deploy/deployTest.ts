/** Sets up deploy tests: a copy of the repository, and a fake project to deploy it to. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CloudFunction } from '../../tools/checks/resources.ts';
import { getLiveVersion } from '../support/google/cloud/apis.ts';
import { startFakeCloud } from '../support/google/cloud/fakeCloud.ts';
import {
  createDeployerEnv,
  runFirebase,
  runScript,
  type Answers,
  type CommandResult,
} from './commands.ts';
import { copyRepository } from '../support/processes/copyRepository.ts';

export const PROJECT = 'tattoo-deploy-test';

/** A region that is not the default: a hard-coded region would fail the tests. */
export const REGION = 'europe-west1';

/** The parameter file of the project. */
export const PARAMETERS = `functions/.env.${PROJECT}`;

/** Answers at a terminal: the CLI asks how long to keep container images, and about functions with retries. */
export const PROMPT_ANSWERS: Answers = {
  'How many days do you want to keep container images': '',
  'Would you like to proceed with deployment?': 'y',
};

/** A copy of the repository, because the CLI writes into its working folder, and a fake project. */
export type DeployTest = Awaited<ReturnType<typeof startDeployTest>>;

/** The resources of a project that a deploy can change. */
export type ProjectState = ReturnType<DeployTest['readProject']>;

/** Matches the result of a command with this exit status, and with this text in its output. */
export function expectedResult(status: number, prints = ''): CommandResult {
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
  for (const service of listEnabledServices(await read('tools/setUpProject.sh'))) {
    cloud.resources.put(`projects/${PROJECT}/services/${service}`, { state: 'ENABLED' });
  }
  return {
    folder,
    cloud,
    read,
    change: async (path: string, edit: (text: string) => string) =>
      write(path, edit(await read(path))),
    /** Runs the firebase CLI in the copy. */
    runFirebase: (args: readonly string[], answers?: Answers) =>
      runFirebase(cloud, folder, args, answers),
    /** Runs a tool, signed in like the CLI. */
    runTool: async (path: string, ...args: readonly string[]) => {
      const script = [`tools/${path}.ts`, '--project', PROJECT, ...args];
      return runScript(folder, script, await createDeployerEnv(cloud, folder));
    },
    /** Reads the resources of the project that a deploy can change. */
    readProject: () => {
      const list = (name: string) => cloud.resources.list(`projects/${PROJECT}/${name}`);
      const groups = 'databases/(default)/collectionGroups/-';
      return {
        functions: list('locations/-/functions/-') as CloudFunction[],
        rules: list('releases/-'),
        /** The indexes of the database, and the settings of single fields. */
        indexes: [...list(`${groups}/indexes/-`), ...list(`${groups}/fields/-`)],
        /** The live version of the default site. */
        version: getLiveVersion(cloud, PROJECT),
      };
    },
    /** Stops the fake cloud. Fails if it received requests that it does not support. */
    stop: async () => {
      await cloud.stop();
      await rm(folder, { recursive: true });
      expect(cloud.unhandledRequests).toEqual([]);
    },
  };
}

/** Lists the services that a script enables. */
export function listEnabledServices(script: string): readonly string[] {
  const [, command = ''] = /gcloud services enable ((?:.*\\\n)*.*)/.exec(script) ?? [];
  return command.match(/[a-z]+\.googleapis\.com/g) ?? [];
}
