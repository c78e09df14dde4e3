/**
 * `npm run rehearse`: all of a deploy that can be done without Google. The functions are packed as the firebase CLI packs
 * them, installed alone in an empty folder as the platform's build does, found as the CLI finds them, and each is served
 * as in production: by the Functions Framework, without any emulator's variable, with the production transport, against
 * a stand-in for Google. Ends with 1 where anything is not as it should be.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Firestore } from 'firebase-admin/firestore';
import { startEmbeddedFirestore } from '../emulator/firestore/server.ts';
import { startGoogle, type Google } from '../emulator/google/google.ts';
import { requireDocumented } from '../openapi/conformance.ts';
import { serveDeployed } from '../support/deployedFunction.ts';
import { deployedEndpoints } from '../support/deployMap.ts';
import {
  exampleRequest,
  storeExampleWorld,
  type ExampleRequest,
} from '../support/exampleRequests.ts';
import { idTokenClaims, unsignedToken } from '../support/idTokens.ts';
import { rawRequest, type RawAnswer } from '../support/rawRequest.ts';
import { deployPlan } from './manifest.ts';
import { installPacked, packFunctions, type Packed } from './packed.ts';

const PROJECT = 'demo-rehearsal';
const WORLD = { uid: 'artist-alice', prefix: 'rehearsed' };
const EMULATORS = ['FIRESTORE_EMULATOR_HOST', 'FIREBASE_AUTH_EMULATOR_HOST', 'FUNCTIONS_EMULATOR'];

/** What node-fetch tries to load, and does without where it is missing, as it is. */
const TRIED: ReadonlySet<string> = new Set(['encoding']);

const faults: string[] = [];

/** Says whether something is as it should be, and remembers where it is not. */
function check(what: string, isRight: boolean): void {
  console.log(`  ${isRight ? 'ok   ' : 'WRONG'} ${what}`);
  if (!isRight) faults.push(what);
}

function equal(one: readonly string[], other: readonly string[]): boolean {
  return one.toSorted().join() === other.toSorted().join();
}

async function rehearse(): Promise<void> {
  console.log('Packing what the firebase CLI would upload');
  const packed = await packFunctions();
  try {
    for (const file of packed.files) console.log(`  ${file}`);
    check(
      `${packed.files.length} files, ${packed.bytes} bytes, no source and no secret`,
      isClean(packed),
    );

    console.log('Installing it alone, as the platform’s build does: npm ci --omit=dev');
    await installPacked(packed);
    await checkDependencies(packed);

    console.log('Finding the functions as the firebase CLI does');
    await checkPlan(packed);

    console.log('Serving each function as in production');
    await serveAll(packed);
  } finally {
    await packed.remove();
  }
}

function isClean({ files }: Packed): boolean {
  return !files.some((file) => /(^|\/)(\.|src\/|node_modules\/)|\.(ts|log)$/.test(file));
}

async function checkDependencies({ folder }: Packed): Promise<void> {
  const { dependencies } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  check(
    `the deployed package depends on what runs it alone: ${Object.keys(dependencies).join(', ')}`,
    equal(Object.keys(dependencies), ['@google-cloud/functions-framework']),
  );
  const required = [
    ...(await readFile(join(folder, 'lib/index.cjs'), 'latin1')).matchAll(
      /\brequire\("([^"]+)"\)/g,
    ),
  ].map(([, name = '']) => name);
  const packages = [...new Set(required)].filter(
    (name) => !process.getBuiltinModule(name) && !TRIED.has(name),
  );
  check(
    `the bundle asks for no package${packages.map((name) => ` ${name}`).join()}`,
    packages.length === 0,
  );
}

async function checkPlan({ folder }: Packed): Promise<void> {
  const { functions, parameters } = await deployPlan(folder);
  for (const planned of functions) {
    const { id, region, platform, runtime, availableMemoryMb, cpu, concurrency } = planned;
    const { minInstances, maxInstances, timeoutSeconds, httpsTrigger } = planned;
    console.log(
      `  ${id.padEnd(40)} ${platform} ${runtime} ${region} ${availableMemoryMb} MiB, ${cpu} CPU, ` +
        `${concurrency} at a time, ${minInstances} to ${maxInstances} instances, ${timeoutSeconds} s, ` +
        `for ${httpsTrigger.invoker.join()}`,
    );
  }
  for (const { name, type, ...parameter } of parameters) {
    console.log(`  ${name} (${type}) = ${String(parameter.default)}`);
  }
  const ids = functions.map(({ id }) => id);
  check(
    `${ids.length} functions, those of the deploy map`,
    equal(
      ids,
      deployedEndpoints.map(({ functionId }) => functionId),
    ),
  );
  const { hosting } = JSON.parse(await readFile('firebase.json', 'utf8')) as {
    hosting: { rewrites: readonly { function: { functionId: string } }[] };
  };
  const targets = [...new Set(hosting.rewrites.map((rewrite) => rewrite.function.functionId))];
  check('Hosting’s rewrites lead to each of them and to no other', equal(ids, targets));
}

async function serveAll(packed: Packed): Promise<void> {
  for (const name of EMULATORS) Reflect.deleteProperty(process.env, name);
  const embedded = await startEmbeddedFirestore();
  const firestore = new Firestore({ projectId: PROJECT, host: embedded.address, ssl: false });
  const google = await startGoogle({ projectId: PROJECT, firestoreAddress: embedded.address });
  try {
    for (const { functionId, endpoint } of deployedEndpoints) {
      await storeExampleWorld(firestore, WORLD);
      await serve(functionId, endpoint.declaration.access === 'public', packed, google);
    }
    const others = [...google.asked.keys()].filter((asked) => asked.endsWith(' refused'));
    check(
      `Google was asked for what it offers, and nobody else for anything${others.join()}`,
      others.length === 0,
    );
    for (const [asked, times] of google.asked) console.log(`  ${asked} ${times}`);
  } finally {
    await google.stop();
    await firestore.terminate();
    await embedded.stop();
  }
}

async function serve(
  functionId: string,
  isPublic: boolean,
  packed: Packed,
  google: Google,
): Promise<void> {
  const began = performance.now();
  const deployed = await serveDeployed(functionId, google.environment, packed.folder);
  const ask = (token: string) =>
    send(deployed.origin, exampleRequest(functionId, WORLD, token)).then(({ status }) => status);
  try {
    const status = await ask(google.tokenOf(WORLD.uid));
    const ms = Math.round(performance.now() - began);
    const toUnsigned = await ask(unsignedToken(idTokenClaims(PROJECT, WORLD.uid)));
    await deployed.stop();
    const lines = deployed.logs.filter((entry) => 'httpRequest' in entry).length;
    check(
      `${functionId.padEnd(40)} ${status} ${ms} ms after its start, ${toUnsigned} to an unsigned token, ${lines} log lines`,
      status === 200 && toUnsigned === (isPublic ? 200 : 401) && lines === 2,
    );
  } finally {
    await deployed.stop();
  }
}

/** Sends a request, and holds the answer to the OpenAPI document. */
async function send(origin: string, { path, ...options }: ExampleRequest): Promise<RawAnswer> {
  const answer = await rawRequest(origin, `/api${path}`, options);
  const header = (name: string) => String(answer.headers[name.toLowerCase()] ?? '');
  requireDocumented({
    method: options.method,
    path,
    status: answer.status,
    header,
    text: answer.text,
  });
  return answer;
}

await rehearse();
if (faults.length > 0) {
  console.error(`The rehearsal failed:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  process.exitCode = 1;
} else {
  console.log(
    'The rehearsal passed. What it cannot do: the upload, the platform’s build, its routing.',
  );
}
