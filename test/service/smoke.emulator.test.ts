/** Each endpoint once on the emulators: through Hosting, at the function's own address, and for accounts that are gone. */
import { administer, signedIn } from '../support/accounts.ts';
import { deployedEndpoints } from '../support/deployMap.ts';
import { exampleRequest, storeExampleWorld } from '../support/exampleRequests.ts';
import { freshId, stackStore } from '../support/firestore.ts';
import { serviceRequest } from '../support/serviceRequest.ts';
import { testStack } from '../support/stack.ts';

const store = stackStore();
const { baseAddress, functionsAddress } = testStack();

/** The addresses of an endpoint: through Hosting, and at the function's own, with and without the prefix. */
function addressesOf(functionId: string): string[] {
  const own = `${functionsAddress}/${functionId}`;
  return [baseAddress, own, `${own}/api`];
}

test.each(deployedEndpoints.map(({ functionId, endpoint }) => [functionId, endpoint] as const))(
  '%s works at each of its addresses',
  async (functionId, { declaration }) => {
    const { uid, token } = await signedIn();

    for (const address of addressesOf(functionId)) {
      const world = { uid, prefix: freshId('smoke') };
      await storeExampleWorld(store, world);
      const { path, ...request } = exampleRequest(functionId, world, token);
      const { status, text } = await serviceRequest(new URL(address), path, request);

      expect([address, status]).toEqual([address, 200]);
      expect(() => declaration.response.parse(JSON.parse(text))).not.toThrow();
    }
  },
);

test.each([
  ['deleted', (localId: string) => administer('delete', { localId })],
  ['disabled', (localId: string) => administer('update', { localId, disableUser: true })],
  [
    'signed out everywhere',
    (localId: string) => administer('update', { localId, validSince: String(2 ** 32) }),
  ],
])(
  'an account that was %s is refused by every endpoint for signed-in users',
  async (_what, end) => {
    const { uid, token } = await signedIn();
    await end(uid);

    for (const { functionId, endpoint } of deployedEndpoints) {
      const { path, ...request } = exampleRequest(functionId, { uid, prefix: 'none' }, token);
      const { status } = await serviceRequest(new URL(baseAddress), path, request);

      expect([functionId, status === 401]).toEqual([
        functionId,
        endpoint.declaration.access === 'signedIn',
      ]);
    }
  },
);
