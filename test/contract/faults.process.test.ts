/**
 * Histories with faults between the service and Firestore. A call that fails with `unavailable` has done nothing and
 * never will; one with `outcome-unknown` has done all of it or nothing, or does it a moment later.
 */
import type { FunctionProcess } from '../../dev/functionProcess.ts';
import { useProcessService } from '../support/processService.ts';
import { endpoints } from '../../functions/service.ts';
import { serviceRequest, type ServiceRequest } from '../support/openapi.ts';
import { histories, type Fault } from './generator.ts';
import { expectExplained, LIMIT_MS } from './play.ts';

const deployed = useProcessService();
const served = new Map<string, FunctionProcess>();

beforeAll(async () => {
  const parameters = { DEADLINE_SECONDS: '2', PUBLIC_CACHE_SECONDS: '0', PAGE_CACHE_SECONDS: '0' };
  await Promise.all(
    endpoints.map(async ({ functionId }) =>
      served.set(functionId, await deployed.serve(functionId, parameters)),
    ),
  );
});

function strike(faults: readonly Fault[], about: string): () => void {
  const { faultInjector: active } = deployed.google;
  for (const fault of faults)
    active.inject({ host: 'firestore.googleapis.com', contains: about, ...fault });
  // Some delayed calls arrive before the service gives up, and some long after.
  setTimeout(() => {
    active.release();
  }, Math.random() * 4_000).unref();
  return () => {
    active.clear(about);
  };
}

test(
  'the contract explains every answer and everything stored while faults strike',
  async () => {
    const outcomes = new Map<string, number>();
    const service = {
      store: deployed.store,
      createIdToken: (uid: string) => deployed.google.createIdToken(uid),
      send: async (functionId: string, request: ServiceRequest) => {
        const { origin = '' } = served.get(functionId) ?? {};
        const response = await serviceRequest(origin, request);
        const outcome = String(response.headers['x-error-code'] ?? response.status);
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        return response;
      },
      strike,
    };
    // Silence takes much of the time, so several histories are played at once.
    await expectExplained(service, histories(4), { runs: 48, lanes: 24 });

    process.stderr.write(`${JSON.stringify(Object.fromEntries(outcomes))}\n`);
    expect([...outcomes.keys()]).toEqual(
      expect.arrayContaining(['200', 'unavailable', 'outcome-unknown']),
    );
  },
  LIMIT_MS,
);
