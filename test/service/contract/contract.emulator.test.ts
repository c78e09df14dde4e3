/** The contract on the local stack, with whichever Firestore it has: Google's own in `npm run test:official`. */
import { Store } from '../../emulator/firestore/store.ts';
import { idTokenClaims, unsignedToken } from '../../emulator/google/idTokens.ts';
import { serviceRequest } from '../../support/serviceRequest.ts';
import { testStack } from '../../support/stack.ts';
import { histories } from './generator.ts';
import { expectExplained } from './play.ts';

test('the contract explains every answer and everything stored on the local stack', async () => {
  const { projectId, firestoreHost, baseAddress } = testStack();
  const service = {
    store: new Store(firestoreHost, projectId),
    tokenOf: (uid: string) => unsignedToken(idTokenClaims(projectId, uid)),
    send: async (_functionId: string, path: string, request: object) =>
      serviceRequest(new URL(baseAddress), path, request),
    // The emulator starts another process for a call that comes while others run.
    isOneInstance: false,
  };
  await expectExplained(service, histories(), { runs: 20 });
});
