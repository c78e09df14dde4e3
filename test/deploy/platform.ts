/** Simulates the platform: builds an uploaded source, and runs each function in a separate process. */
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join, relative, sep } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { connectsTo, freePortList, LOOPBACK } from '../emulator/ports.ts';
import { ROOT } from '../emulator/root.ts';
import type { CloudFunction } from './cloud/functionsApi.ts';

const run = promisify(execFile);
const { unzip } = createRequire(join(ROOT, 'package.json'))('firebase-tools/lib/unzip') as {
  readonly unzip: (archive: string, folder: string) => Promise<void>;
};

const POLL_MS = 50;
/** Longer than any start takes; only a function that hangs takes this long. */
const START_LIMIT_MS = 5 * 60_000;
/** The part of the memory that is not available to the heap. */
const OUTSIDE_HEAP_MIB = 64;

/** An uploaded source in a separate folder. */
export interface Source {
  readonly folder: string;
  /** Its sorted file paths. */
  readonly files: readonly string[];
  remove(): Promise<void>;
}

/** Unpacks an uploaded archive. */
export async function unpack(archive: Buffer): Promise<Source> {
  const folder = await mkdtemp(join(tmpdir(), 'uploaded-'));
  const file = `${folder}.zip`;
  await writeFile(file, archive);
  await unzip(file, folder);
  await rm(file);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
  return { folder, files: files.sort(), remove: () => rm(folder, { recursive: true }) };
}

/**
 * Builds a source like Google's buildpack for Node.js. No script of the package runs, because the CLI sets
 * `GOOGLE_NODE_RUN_SCRIPTS` to an empty value.
 */
export async function build(folder: string): Promise<void> {
  const env = Object.fromEntries(
    // Without npm's own variables, which would point to this project instead of the package.
    Object.entries(process.env).filter(
      ([name]) => !/^(npm_(?!config_registry)|INIT_CWD)/i.test(name),
    ),
  );
  await run('npm', ['ci', '--quiet', '--no-fund', '--no-audit'], {
    cwd: folder,
    env: { ...env, NODE_ENV: 'production' },
    shell: process.platform === 'win32',
  });
  const { main } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    main: string;
  };
  await run(process.execPath, ['--check', main], { cwd: folder });
}

/** A running function. */
export interface RunningFunction {
  readonly origin: string;
  /** The structured log entries; complete after the function was stopped. */
  readonly logs: readonly Readonly<Record<string, unknown>>[];
  stop(): Promise<void>;
}

/**
 * Runs a function of a built source with only the platform's variables and none of this machine; `environment`
 * redirects it to a simulation of Google.
 */
export async function start(
  folder: string,
  { serviceConfig }: CloudFunction,
  environment: Readonly<Record<string, string>>,
): Promise<RunningFunction> {
  const [port = 0] = await freePortList(1);
  const service = basename(serviceConfig.service);
  const heap = parseInt(serviceConfig.availableMemory, 10) - OUTSIDE_HEAP_MIB;
  const child = spawn(
    process.execPath,
    [
      join(folder, 'node_modules/@google-cloud/functions-framework/build/src/main.js'),
      ...['--source', folder],
    ],
    {
      cwd: folder,
      env: {
        ...environment,
        NODE_ENV: 'production',
        NODE_OPTIONS: `--max-old-space-size=${heap}`,
        PORT: String(port),
        K_SERVICE: service,
        K_REVISION: `${service}-00001-abc`,
        K_CONFIGURATION: service,
        ...serviceConfig.environmentVariables,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const logs: Readonly<Record<string, unknown>>[] = [];
  const printed: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      printed.push(line);
      if (line.startsWith('{')) logs.push(JSON.parse(line) as Readonly<Record<string, unknown>>);
    });
  }
  const ended = new Promise((resolve) => child.once('close', resolve));
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  const limit = AbortSignal.timeout(START_LIMIT_MS);
  while (!(await connectsTo(LOOPBACK, port))) {
    if (child.exitCode !== null || child.signalCode !== null || limit.aborted) {
      await stop();
      throw new Error(`The function ${service} did not start:\n${printed.join('\n')}`);
    }
    await delay(POLL_MS);
  }
  return { origin: `http://${LOOPBACK}:${port}`, logs, stop };
}
