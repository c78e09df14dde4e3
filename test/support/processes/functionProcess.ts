import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { toCloudRunServiceName, toFunctionTarget } from '@tattoo-marketplace/endpoints';
import { startServer } from '../../../dev/childProcess.ts';
import { findFreePorts, LOOPBACK } from '../../../dev/ports.ts';
import { collectLoggedError } from '../jest/loggedErrors.ts';

/** A built function that the Functions Framework serves in a separate process, as on the platform. */
export type FunctionProcess = Awaited<ReturnType<typeof startFunctionProcess>>;

/**
 * Serves a function (`flash-listByArtist`) of a built package as in production: with the package's own Functions Framework,
 * and with no environment variables but those of the platform and of `env`.
 */
export async function startFunctionProcess(
  functionId: string,
  env: Readonly<Record<string, string>>,
  folder: string,
) {
  const [port = 0] = await findFreePorts(1);
  const { resolve } = createRequire(join(folder, 'package.json'));
  const service = toCloudRunServiceName(functionId);
  /** The structured log entries so far. They are complete after `stop`. */
  const logs: Readonly<Record<string, unknown>>[] = [];
  const child = await startServer(
    `The function ${functionId}`,
    port,
    process.execPath,
    [join(dirname(resolve('@google-cloud/functions-framework')), 'main.js'), '--source', folder],
    {
      cwd: folder,
      env: {
        NODE_ENV: 'production',
        PORT: String(port),
        FUNCTION_TARGET: toFunctionTarget(functionId),
        K_SERVICE: service,
        K_REVISION: `${service}-00001-abc`,
        K_CONFIGURATION: service,
        GCLOUD_PROJECT: 'demo-tattoo-test',
        METADATA_SERVER_DETECTION: 'none',
        ...env,
      },
      onLine: (line) => {
        if (!line.startsWith('{')) return;
        logs.push(JSON.parse(line) as Record<string, unknown>);
        collectLoggedError(line);
      },
    },
  );
  return { ...child, origin: `http://${LOOPBACK}:${port}`, logs };
}
