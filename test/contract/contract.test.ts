import fc from 'fast-check';
import { useInProcessService } from '../support/inProcessService.ts';
import { endpoints } from '../../functions/service.ts';
import type { RawResponse } from '../../dev/testing/rawRequest.ts';
import { perform } from './contract.ts';
import { histories } from './generator.ts';
import type { Service } from './people.ts';
import { expectExplained, LIMIT_MS } from './play.ts';
import { STATUSES, type Documents } from './rules.ts';

const service = useInProcessService();

/** Enough for some calls of each endpoint to meet at the same documents. */
const RUNS = 20 * endpoints.length;

test('random histories call every deployed endpoint, and get each answer that it documents', () => {
  const answers = new Set<string>();
  for (const history of fc.sample(histories(), { numRuns: RUNS, seed: 1 })) {
    let documents: Documents = {};
    for (const { call } of history.flatMap(({ first = [], actions }) => [first, actions].flat())) {
      const outcome = perform(call, { documents, now: 0, id: 'A'.repeat(20) });
      const { answer } = outcome;
      answers.add(`${call.functionId} ${'code' in answer ? answer.code : answer.status}`);
      ({ documents } = outcome);
    }
  }

  const documented = endpoints.flatMap(({ functionId, endpoint }) =>
    ['200', ...Object.keys(endpoint.declaration.errors)]
      .filter((answer) => answer === '200' || answer in STATUSES)
      .map((answer) => `${functionId} ${answer}`),
  );
  const missing = documented.filter((answer) => !answers.has(answer));
  expect({ 'the entries in test/contract/endpoints lack': missing }).toEqual({
    'the entries in test/contract/endpoints lack': [],
  });
});

test(
  'the contract explains every answer and everything stored',
  () => expectExplained(service, histories(), { runs: RUNS }),
  LIMIT_MS,
);

test.each<[string, (response: RawResponse, again: () => Promise<unknown>) => unknown]>([
  ['does what it is asked twice', (_response, again) => again()],
  ['refuses what it does', (response) => Object.assign(response, { status: 404 })],
  [
    'leaves out elements',
    (response) => Object.assign(response, { text: response.text.replace(/\[\{.*\}\]/, '[]') }),
  ],
])('the contract does not explain a service that %s', async (_what, spoil) => {
  const spoiling: Service = {
    store: service.store,
    createIdToken: (uid) => service.createIdToken(uid),
    send: async (...request) => {
      const response = await service.send(...request);
      if (response.status === 200) await spoil(response, async () => service.send(...request));
      return response;
    },
  };

  const played = expectExplained(spoiling, histories(), { runs: RUNS });

  await expect(played).rejects.toThrow(
    /^(\S+ got .+, the contract says .+|What is stored is not .+)\. Run it again: FUZZ_HISTORIES=1 .+ npm test -- .+\nRound 1\n/,
  );
});
