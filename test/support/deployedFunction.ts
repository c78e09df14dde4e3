import { join } from 'node:path';
import { startChild } from '../emulator/childProcess.ts';
import { freePortList, listening, LOOPBACK } from '../emulator/ports.ts';
import { ROOT } from '../emulator/stack.ts';

const READY_WITHIN_MS = 30_000;

/** A function as it is deployed: the built file, served by the Functions Framework in a process of its own. */
export interface DeployedFunction {
  readonly origin: string;
  /** The structured log entries that it has written: all of them once it was stopped. */
  readonly logs: readonly Readonly<Record<string, unknown>>[];
  stop(): Promise<void>;
}

/**
 * Serves a function (`flash-listByArtist`) as production does, with these environment variables: the one that is built,
 * or that of a folder which is ready to run.
 */
export async function serveDeployed(
  functionId: string,
  env: Readonly<Record<string, string>>,
  folder?: string,
): Promise<DeployedFunction> {
  const [port = 0] = await freePortList(1);
  const logs: Record<string, unknown>[] = [];
  const child = startChild(
    process.execPath,
    [
      join(folder ?? ROOT, 'node_modules/@google-cloud/functions-framework/build/src/main.js'),
      ...['--source', folder ?? join(ROOT, 'functions')],
    ],
    {
      cwd: folder ?? ROOT,
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
  if ((await Promise.race([listening(port, READY_WITHIN_MS), child.ended])) !== true) {
    await child.stop();
    throw new Error(`The function ${functionId} did not start.`);
  }
  const stop = async () => {
    await child.stop();
    // Only now has the last line been read.
    await child.ended;
  };
  return { origin: `http://${LOOPBACK}:${port}`, logs, stop };
}
