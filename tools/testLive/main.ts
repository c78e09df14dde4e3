/**
 * `npm run test:live -- --project P --key K`: calls all deployed endpoints with example requests, and runs histories of the
 * contract, with accounts and documents that it creates and deletes. It prints the status and the latency of each endpoint.
 * It rejects a project with users or documents, unless `--anyway` is given.
 *
 * It can be tried on `npm start`, with FIRESTORE_EMULATOR_HOST, FIREBASE_AUTH_EMULATOR_HOST and --url.
 */
import '../../dev/friendlyErrors.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { EmulatorClient } from '@tattoo-marketplace/firestore-embedded';
import type { StackAddresses } from '../../dev/addresses.ts';
import { parseOptions } from '../../dev/commandLine.ts';
import { getEmulatorHost } from '../../dev/emulatorHost.ts';
import { ROOT } from '../../dev/root.ts';
import { PROJECT_OPTION, requireProject } from '../checks/projectOption.ts';
import { readDeployTarget, readParameters } from '../checks/deployTarget.ts';
import { getAccessToken, readGoogle, signIn } from '../checks/googleApi.ts';
import { readSite } from '../checks/resources.ts';
import { startForwarder } from './forwarder.ts';

/** Values with which responses would be late or rejected. */
const REQUIRED_PARAMETERS = {
  PUBLIC_CACHE_SECONDS: '0',
  PAGE_CACHE_SECONDS: '0',
  APP_CHECK: 'off',
  DATABASE_ID: '(default)',
};

const options = parseOptions('npm run test:live -- --project P --key K [OPTIONS]', {
  project: PROJECT_OPTION,
  key: { type: 'string', value: 'K', help: 'the web API key (Firebase console, project settings)' },
  url: { type: 'string', value: 'URL', help: 'another address than that of the site' },
  histories: {
    type: 'string',
    value: 'N',
    help: 'the number of histories, with another seed each time; 100 by default',
  },
  anyway: { type: 'boolean', help: 'accept a project with users or documents' },
});
const project = requireProject(options.project);
const emulators = {
  firestore: getEmulatorHost(),
  auth: process.env.FIREBASE_AUTH_EMULATOR_HOST,
};
const isEmulated = emulators.firestore !== undefined;
if (!isEmulated) await signIn(project);
assertRequiredParameters();

const origin =
  options.url ?? `https://${await readSite(readGoogle, readDeployTarget(project))}.web.app`;
const firestoreOrigin = isEmulated
  ? `http://${emulators.firestore}`
  : 'https://firestore.googleapis.com';
const authOrigin = isEmulated
  ? `http://${emulators.auth}`
  : 'https://identitytoolkit.googleapis.com';

const site = await startForwarder((path) => Promise.resolve({ origin, path }));
const firestore = await startForwarder(async (path) => {
  return { origin: firestoreOrigin, path, headers: await createAdminHeaders() };
});
const auth = await startForwarder(async (path) => {
  // Only the emulator has this prefix.
  const authPath = isEmulated ? path : path.replace('/identitytoolkit.googleapis.com', '');
  // Signing in takes the key, all other calls need the rights of an administrator.
  return path.includes('key=')
    ? { origin: authOrigin, path: authPath.replace(/key=\w+/, `key=${options.key ?? 'demo'}`) }
    : { origin: authOrigin, path: authPath, headers: await createAdminHeaders() };
});
try {
  if (options.anyway !== true) await assertEmpty();
  process.exitCode = await runTests();
} finally {
  await Promise.all([site, firestore, auth].map((forwarder) => forwarder.stop()));
}

/** Throws if the project is deployed with parameters that the tests do not support. */
function assertRequiredParameters(): void {
  if (isEmulated) return;
  const parameters = readParameters(project);
  for (const [name, value] of Object.entries(REQUIRED_PARAMETERS)) {
    if ((parameters[name] ?? value) === value) continue;
    throw new Error(`The tests need ${name}=${value}: deploy ${project} with this parameter.`);
  }
}

async function createAdminHeaders(): Promise<Record<string, string>> {
  if (isEmulated) return { authorization: 'Bearer owner' };
  return { authorization: `Bearer ${await getAccessToken()}`, 'x-goog-user-project': project };
}

/** Throws if the project has documents or users. */
async function assertEmpty(): Promise<void> {
  const documents = await new EmulatorClient(firestore.host, project).getAllDocuments();
  const response = await fetch(
    `http://${auth.host}/identitytoolkit.googleapis.com/v1/projects/${project}/accounts:batchGet?maxResults=1`,
  );
  const { users = [] } = (await response.json()) as { readonly users?: readonly object[] };
  if (Object.keys(documents).length === 0 && users.length === 0) return;
  throw new Error(
    `The project ${project} has users or documents. Use a project for tests, or add --anyway: the tests change and delete only what they create.`,
  );
}

/** Runs the tests of a deployed service. Returns their exit code. */
async function runTests(): Promise<number> {
  const addresses: Omit<StackAddresses, 'functionsAddress'> = {
    projectId: project,
    baseAddress: `http://${site.host}/api`,
    authHost: auth.host,
    firestoreHost: firestore.host,
  };
  const jest = join(ROOT, 'node_modules/jest/bin/jest.js');
  const args = [jest, '--selectProjects', 'live', '-c', 'jest.config.js', '-i'];
  const env = {
    ...process.env,
    TEST_STACK: JSON.stringify(addresses),
    TEST_CASES: 'all',
    FUZZ_HISTORIES: options.histories,
  };
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: 'inherit' });
  const [code] = (await once(child, 'close')) as [number | null];
  return code ?? 1;
}
