import fc from 'fast-check';
import { expectEqual } from '../support/jest/expectEqual.ts';
import { useInProcessService } from '../support/processes/inProcessService.ts';
import { endpoints } from '../../functions/service.ts';
import type { RawResponse } from '../support/requests/sendRawRequest.ts';
import { apply } from './contract.ts';
import { generateHistories } from './histories.ts';
import { expectLinearizable, type Service } from './run.ts';

const service = useInProcessService();

/** Enough for operations of each endpoint to contend for the same documents. */
const HISTORIES = 40 * endpoints.length;

test('random histories call every endpoint, and get each response that it documents', () => {
  const missing = new Set(
    endpoints.flatMap(({ functionId, endpoint: { declaration } }) => {
      const { params, query, body, errors } = declaration;
      const inputErrors = (params ?? query ?? body) ? ['invalid-argument'] : [];
      return ['200', ...inputErrors, ...Object.keys(errors)].map((code) => `${functionId} ${code}`);
    }),
  );
  for (const { initial, steps } of fc.sample(generateHistories(), {
    numRuns: HISTORIES,
    seed: 1,
  })) {
    let { state } = apply({ writes: initial, waitMs: 0 }, {});
    for (const operation of steps.flatMap(({ operations }) => operations)) {
      const outcome = apply(operation, state);
      const { code = '200' } = outcome.response;
      if ('functionId' in operation) missing.delete(`${operation.functionId} ${code}`);
      state = outcome.state;
    }
  }

  const label = 'Responses that no model in test/contract/endpoints has returned';
  // Only a list of over 32 MiB has that response.
  expectEqual(label, [...missing], ['artists-list not-acceptable']);
});

test('responses and stored documents are linearizable', () =>
  expectLinearizable(service, generateHistories(), { all: HISTORIES }));

type Change = (
  response: RawResponse,
  resend: () => Promise<unknown>,
) => RawResponse | Promise<RawResponse>;

test.each<{ name: string; change: Change }>([
  { name: 'executes requests twice', change: (response, resend) => resend().then(() => response) },
  { name: 'reports errors after success', change: (response) => ({ ...response, status: 404 }) },
  { name: 'returns empty lists', change: (response) => ({ ...response, text: '[]' }) },
])('the checker rejects a service that $name', async ({ change }) => {
  const broken: Service = {
    store: service.store,
    createIdToken: (uid) => service.createIdToken(uid),
    send: async (...request) => {
      const response = await service.send(...request);
      return response.status === 200 ? change(response, () => service.send(...request)) : response;
    },
  };

  await expect(expectLinearizable(broken, generateHistories(), { all: HISTORIES })).rejects.toThrow(
    /^The service differs from the contract.+\nFUZZ_HISTORIES=1 .+ npm test -- .+\nSent at once:\n.+- Expected/s,
  );
});
