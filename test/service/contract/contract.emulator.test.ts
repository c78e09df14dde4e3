/** The contract on the local stack, with whichever Firestore it has: Google's own in `npm run test:official`. */
import { idTokenClaims, unsignedToken } from '../../emulator/google/idTokens.ts';
import { serviceRequest } from '../../support/serviceRequest.ts';
import { testStack } from '../../support/stack.ts';
import { aimedHistories, anyHistories } from './generator.ts';
import { expectExplained } from './play.ts';

const RUNS = Number(process.env.FUZZ_HISTORIES ?? 10);
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_122);

test.each([
  ['of all operations', anyHistories()],
  ['aimed at few documents', aimedHistories()],
])(
  'the contract explains every answer and everything stored in histories %s',
  async (_what, histories) => {
    const { projectId, firestoreHost, baseAddress } = testStack();
    const service = {
      projectId,
      firestore: firestoreHost,
      tokenOf: (uid: string) => unsignedToken(idTokenClaims(projectId, uid)),
      send: async (_functionId: string, path: string, request: object) =>
        serviceRequest(new URL(baseAddress), path, request),
      // The emulator starts another process for a call that comes while others run.
      isOneInstance: false,
    };
    await expectExplained(histories, service, {
      runs: RUNS,
      seed: SEED,
      path: process.env.FUZZ_PATH,
    });
  },
  24 * 60 * 60 * 1000,
);
