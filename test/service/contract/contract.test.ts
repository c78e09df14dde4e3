import { inProcessService } from '../../support/inProcessService.ts';
import { aimedHistories, anyHistories } from './generator.ts';
import type { Service } from './people.ts';
import { expectExplained } from './play.ts';

const SEED = Number(process.env.FUZZ_SEED ?? 20_261_122);
const HISTORIES = Number(process.env.FUZZ_HISTORIES ?? 50);

const inProcess = inProcessService();
const service = (): Service => ({
  projectId: inProcess.projectId,
  firestore: process.env.FIRESTORE_EMULATOR_HOST ?? '',
  tokenOf: (uid) => inProcess.tokenOf(uid),
  send: (...request) => inProcess.send(...request),
  isOneInstance: true,
});

test.each([
  ['all operations', anyHistories],
  ['changes of the same documents', aimedHistories],
])(
  'some order of the calls explains every answer and everything stored: %s',
  async (_what, histories) => {
    await expectExplained(
      histories,
      { runs: HISTORIES, seed: SEED, path: process.env.FUZZ_PATH },
      service,
    );
  },
  24 * 60 * 60 * 1000,
);
