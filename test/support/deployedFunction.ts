import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { freePortList, LOOPBACK } from '../emulator/ports.ts';
import { startServer } from '../emulator/serverProcess.ts';

/** A function as it is deployed: the built file, served by the Functions Framework in a process of its own. */
export interface DeployedFunction {
  readonly origin: string;
  readonly pid: number;
  /** Resolves with the exit code, or the signal's name, once it has ended. */
  readonly ended: Promise<number | string>;
  /** The structured log entries that it has written: all of them once it was stopped. */
  readonly logs: readonly Readonly<Record<string, unknown>>[];
  stop(): Promise<void>;
}

/**
 * Serves a function (`flash-listByArtist`) of a built package as production does, with these environment variables, by
 * the Functions Framework that the package finds.
 */
export async function serveDeployed(
  functionId: string,
  env: Readonly<Record<string, string>>,
  folder: string,
): Promise<DeployedFunction> {
  const [port = 0] = await freePortList(1);
  const logs: Record<string, unknown>[] = [];
  const child = await startServer(
    `The function ${functionId}`,
    port,
    process.execPath,
    [join(frameworkOf(folder), 'main.js'), '--source', folder],
    {
      cwd: folder,
      env: {
        NODE_ENV: 'production',
        PORT: String(port),
        FUNCTION_TARGET: functionId.replace('-', '.'),
        K_SERVICE: functionId.toLowerCase(),
        GCLOUD_PROJECT: 'demo-tattoo-test',
        METADATA_SERVER_DETECTION: 'none',
        ...env,
      },
      onLine: (line) => {
        if (line.startsWith('{')) logs.push(JSON.parse(line) as Record<string, unknown>);
      },
    },
  );
  const stop = async () => {
    await child.stop();
    // Only now has the last line been read.
    await child.ended;
  };
  return {
    origin: `http://${LOOPBACK}:${port}`,
    pid: child.pid ?? 0,
    ended: child.ended,
    logs,
    stop,
  };
}

function frameworkOf(folder: string): string {
  return dirname(
    createRequire(join(folder, 'package.json')).resolve('@google-cloud/functions-framework'),
  );
}
