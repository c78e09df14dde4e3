import { inProcessService } from '../../support/inProcessService.ts';
import { aimedHistories, anyHistories } from './generator.ts';
import { expectExplained } from './play.ts';

const SEED = Number(process.env.FUZZ_SEED ?? 20_261_122);
const HISTORIES = Number(process.env.FUZZ_HISTORIES ?? 60);

const service = inProcessService();

test.each([
  ['of all operations', anyHistories()],
  ['of changes to the same documents', aimedHistories()],
])(
  'the contract explains all histories %s',
  async (_what, histories) => {
    const { projectId } = service;
    await expectExplained(
      histories,
      {
        projectId,
        firestore: process.env.FIRESTORE_EMULATOR_HOST ?? '',
        tokenOf: (uid) => service.tokenOf(uid),
        send: async (...request) => service.send(...request),
        isOneInstance: true,
      },
      { runs: HISTORIES, seed: SEED, path: process.env.FUZZ_PATH },
    );
  },
  24 * 60 * 60 * 1000,
);
