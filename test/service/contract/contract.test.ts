import { inProcessService } from '../../support/inProcessService.ts';
import type { RawResponse } from '../../support/rawRequest.ts';
import { aimedHistories, anyHistories } from './generator.ts';
import type { Service } from './people.ts';
import { expectExplained } from './play.ts';

const RUNS = Number(process.env.FUZZ_HISTORIES ?? 80);
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_122);
const PATH = process.env.FUZZ_PATH;

const inProcess = inProcessService();

function service(): Service {
  return {
    projectId: inProcess.projectId,
    firestore: process.env.FIRESTORE_EMULATOR_HOST ?? '',
    tokenOf: (uid) => inProcess.tokenOf(uid),
    send: async (...request) => inProcess.send(...request),
    isOneInstance: true,
  };
}

test.each([
  ['of all operations', anyHistories()],
  ['aimed at few documents', aimedHistories()],
])(
  'the contract explains every answer and everything stored in histories %s',
  async (_what, histories) => {
    await expectExplained(histories, service(), { runs: RUNS, seed: SEED, path: PATH });
  },
  24 * 60 * 60 * 1000,
);

test.each<[string, (response: RawResponse, again: () => Promise<unknown>) => unknown]>([
  ['does what it is asked twice', (_response, again) => again()],
  ['refuses what it does', (response) => Object.assign(response, { status: 404 })],
  [
    'leaves out elements',
    (response) => Object.assign(response, { text: response.text.replace(/\[\{.*?\}\]/, '[]') }),
  ],
])('the contract does not explain a service that %s', async (_what, spoil) => {
  const { send, ...rest } = service();
  const spoiling: Service = {
    ...rest,
    send: async (...request) => {
      const response = await send(...request);
      if (response.status === 200) await spoil(response, async () => send(...request));
      return response;
    },
  };

  const played = expectExplained(aimedHistories(), spoiling, {
    ...{ runs: 100, seed: SEED, endOnFailure: true },
  });

  await expect(played).rejects.toThrow('The contract does not explain this history.');
});
