import { build } from 'esbuild';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connectsTo, freePortList } from '../../dev/ports.ts';
import { buildFunctionsApart, FUNCTIONS } from '../../dev/functionsBuild.ts';
import { ROOT } from '../../dev/root.ts';
import { serviceOf, targetOf } from '../../functions/declared/functionNames.ts';
import { VerifiedArtist } from '../../functions/src/artists/user.ts';
import { FlashListing } from '../../functions/src/flash/flashListing.ts';
import { WORLD, type Simulation } from './simulation.ts';

const FRAMEWORK = '@google-cloud/functions-framework';

/** A folder that the Functions Framework can serve. */
export interface Program {
  readonly folder: string;
}

/** Builds the service as deployed, and the baselines into folders of it. */
export async function makePrograms() {
  const service = await buildFunctionsApart();
  const [sdk, bare] = [await bundled(service.folder, 'sdk'), await bundled(service.folder, 'bare')];
  return { service, sdk, bare };
}

/** A baseline, bundled with its packages like the service. */
async function bundled(parent: string, name: string): Promise<Program> {
  const folder = join(parent, name);
  await build({
    absWorkingDir: ROOT,
    entryPoints: [`tools/bench/baselines/${name}.ts`],
    outfile: join(folder, 'index.cjs'),
    bundle: true,
    external: [FRAMEWORK],
    minifySyntax: true,
    minifyWhitespace: true,
    platform: 'node',
    format: 'cjs',
    target: 'node24',
    logLevel: 'warning',
  });
  await writeFile(join(folder, 'package.json'), '{"main":"index.cjs"}');
  return { folder };
}

const ENVIRONMENT = {
  PATH: process.env.PATH ?? '',
  // As on the platform, for an instance of 512 MiB. Nothing is cached.
  NODE_ENV: 'production',
  NODE_OPTIONS: '--max-old-space-size=448',
  LOG_EXECUTION_ID: 'true',
  PUBLIC_CACHE_SECONDS: '0',
  PAGE_CACHE_SECONDS: '0',
  USER_REQUESTS_PER_MINUTE: '1000000',
  // The SDK reads the same fields as the service.
  BENCH_OWNER: WORLD.uid,
  BENCH_FIELDS: Object.keys(FlashListing.omit({ id: true }).shape).join(),
  BENCH_ARTIST_FIELDS: Object.keys(VerifiedArtist.shape).join(),
};

/** What keeps the simulation from taking more time than Google. */
const SIMULATED = {
  // See proxy.cjs.
  NODE_USE_ENV_PROXY: '0',
  // Reading a certificate takes a tenth of a second that a start on the platform does not take.
  NODE_EXTRA_CA_CERTS: '',
  NODE_TLS_REJECT_UNAUTHORIZED: '0',
  NODE_NO_WARNINGS: '1',
};

/** Starts a function like the platform, with a simulation of Google; returns when it accepts connections. */
export async function start({ environment }: Simulation, { folder }: Program, functionId: string) {
  const [port = 0] = await freePortList(1);
  const framework = createRequire(join(FUNCTIONS, 'package.json')).resolve(FRAMEWORK);
  const main = join(dirname(framework), 'main.js');
  const args = ['--require', join(import.meta.dirname, 'proxy.cjs'), main, '--source', folder];
  const target = { FUNCTION_TARGET: targetOf(functionId), K_SERVICE: serviceOf(functionId) };
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...ENVIRONMENT, PORT: String(port), ...target, ...environment, ...SIMULATED },
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  while (!(await connectsTo(port))) {
    if (child.exitCode !== null) throw new Error(`${functionId} in ${folder} did not start.`);
    // Attempts without a pause would take processor time from the start.
    await delay(1);
  }
  const stop = async () => {
    process.off('exit', kill);
    const ended = once(child, 'exit');
    kill();
    await ended;
  };
  return { port, pid: child.pid ?? 0, stop };
}
