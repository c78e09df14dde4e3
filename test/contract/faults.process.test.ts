/** The contract with faults between the service and Firestore, as after a deploy: each function runs in its own process. */
import { endpoints } from '../../functions/service.ts';
import type { FunctionProcess } from '../support/processes/functionProcess.ts';
import { runsAllCases } from '../support/jest/testCases.ts';
import { sendServiceRequest } from '../support/requests/openapi.ts';
import { useBuiltService } from '../support/processes/builtService.ts';
import { generateHistories } from './histories.ts';
import { expectLinearizable, type Service } from './run.ts';

const built = useBuiltService();
const served = new Map<string, FunctionProcess>();

beforeAll(async () => {
  const parameters = { DEADLINE_SECONDS: '2', PUBLIC_CACHE_SECONDS: '0', PAGE_CACHE_SECONDS: '0' };
  const serve = async ({ functionId }: { functionId: string }) =>
    served.set(functionId, await built.serve(functionId, parameters));
  await Promise.all(endpoints.map(serve));
});

test('responses and stored documents stay linearizable under injected faults', async () => {
  const { faultInjector } = built.google;
  const codes = new Set<unknown>();
  const service: Service = {
    store: built.store,
    createIdToken: (uid) => built.google.createIdToken(uid),
    send: async (functionId, request) => {
      const response = await sendServiceRequest(served.get(functionId)?.origin ?? '', request);
      codes.add(response.headers['x-error-code'] ?? response.status);
      return response;
    },
    injectFaults: (faults, contains) => {
      for (const fault of faults) {
        faultInjector.inject({ host: 'firestore.googleapis.com', contains, ...fault });
      }
      // Some delayed calls arrive before the service gives up, and some long after.
      setTimeout(() => {
        faultInjector.release();
      }, Math.random() * 4_000).unref();
      return () => faultInjector.clear(contains);
    },
  };
  // Waiting takes much of the time, so several histories run at once.
  await expectLinearizable(service, generateHistories(4), { all: 900, concurrency: 30 });

  // A fifth of the histories may have no lost reply.
  const expected = [200, 'unavailable', ...(runsAllCases ? ['outcome-unknown'] : [])];
  expect([...codes]).toEqual(expect.arrayContaining(expected));
});
