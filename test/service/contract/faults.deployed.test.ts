/**
 * Histories with faults between the service and Firestore. A call that fails with `unavailable` has done nothing and
 * never will; one with `outcome-unknown` has done all of it or nothing, or does it a moment later.
 */
import type { DeployedFunction } from '../../support/deployedFunction.ts';
import { deployedService } from '../../support/deployedService.ts';
import { deployedEndpoints } from '../../support/deployMap.ts';
import { rootOf, serviceRequest } from '../../support/serviceRequest.ts';
import { aimedHistories, anyHistories, type Fault } from './generator.ts';
import { expectExplained } from './play.ts';

const SEED = Number(process.env.FUZZ_SEED ?? 20_261_122);
const HISTORIES = Number(process.env.FUZZ_HISTORIES ?? 24);
/** Silence takes much of the time, so several histories are played at once. */
const LANES = 8;

const deployed = deployedService();
const served = new Map<string, DeployedFunction>();

beforeAll(async () => {
  const parameters = { DEADLINE_SECONDS: '2', PUBLIC_CACHE_SECONDS: '0', PAGE_CACHE_SECONDS: '0' };
  await Promise.all(
    deployedEndpoints.map(async ({ functionId }) =>
      served.set(functionId, await deployed.serve(functionId, parameters)),
    ),
  );
});

function strike(faults: readonly Fault[], about: string): () => Promise<void> {
  const { google } = deployed;
  for (const fault of faults) google.fault({ host: 'firestore.googleapis.com', about, ...fault });
  // Some delayed calls arrive before the service gives up, and some long after.
  setTimeout(() => void google.release(), Math.random() * 4_000).unref();
  return () => google.heal(about);
}

test(
  'the contract explains all histories with faults',
  async () => {
    const { google, firestoreAddress } = deployed;
    const outcomes = new Map<string, number>();
    const lanes = await Promise.allSettled(
      Array.from({ length: LANES }, async (_, lane) =>
        expectExplained(
          lane % 2 === 0 ? aimedHistories(3) : anyHistories(3),
          {
            projectId: google.environment.GCLOUD_PROJECT ?? '',
            firestore: firestoreAddress,
            tokenOf: (uid) => google.tokenOf(uid),
            send: async (functionId, path, request) => {
              const response = await serviceRequest(
                rootOf(served.get(functionId)?.origin ?? ''),
                path,
                request,
              );
              const outcome = String(response.headers['x-error-code'] ?? response.status);
              outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
              return response;
            },
            isOneInstance: true,
            strike,
          },
          { runs: Math.ceil(HISTORIES / LANES), seed: SEED + lane, path: process.env.FUZZ_PATH },
        ),
      ),
    );
    for (const lane of lanes) if (lane.status === 'rejected') throw lane.reason as Error;
    process.stderr.write(`${JSON.stringify(Object.fromEntries(outcomes))}\n`);
    expect([...outcomes.keys()]).toEqual(
      expect.arrayContaining(['200', 'unavailable', 'outcome-unknown']),
    );
  },
  24 * 60 * 60 * 1000,
);
