import { http, type HttpFunction } from '@google-cloud/functions-framework';
import { getTestServer } from '@google-cloud/functions-framework/testing';
import type { HttpsFunction } from 'firebase-functions/https';
import { prepareProcess } from '../../../packages/endpoints/src/runtime/prepareProcess.ts';
import { close, listen, LOOPBACK } from '../../../dev/ports.ts';

/** An endpoint served over HTTP in this process. */
export type ServedEndpoint = Awaited<ReturnType<typeof serveInProcess>>;

/** The number of endpoints that were served: each has its own name. */
let endpointCount = 0;

/** Serves an endpoint, or the function for unknown paths, as in production: with the Functions Framework, at the root of its own address. */
export async function serveInProcess(endpoint: HttpsFunction) {
  const restore = prepareProcess();
  const name = `endpoint-${++endpointCount}`;
  // The types of the two packages only differ in rawBody, which the framework always sets.
  http(name, endpoint as HttpFunction);
  const server = getTestServer(name);
  return {
    origin: `http://${LOOPBACK}:${await listen(server)}`,
    stop: async () => {
      await close(server);
      restore();
    },
  };
}

/** Placeholder documentation of endpoints that tests declare. */
export const DOC_PLACEHOLDERS = {
  summary: 'Test',
  description: 'Made for a test.',
} as const;

/** Serves an endpoint from before the first test of a file until after its last. */
export function useServedEndpoint(endpoint: HttpsFunction): Pick<ServedEndpoint, 'origin'> {
  let servedEndpoint: ServedEndpoint | undefined;

  beforeAll(async () => {
    servedEndpoint = await serveInProcess(endpoint);
  });

  afterAll(() => servedEndpoint?.stop());

  return {
    get origin() {
      return servedEndpoint?.origin ?? '';
    },
  };
}
