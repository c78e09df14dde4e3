import * as z from 'zod';
import { serveDeployed, type DeployedFunction } from '../support/deployedFunction.ts';
import { deployedEndpoints } from '../support/deployMap.ts';
import { storedListing } from '../support/factories.ts';
import { freshId, stackFirestore, store } from '../support/firestore.ts';
import { freePortList } from '../emulator/ports.ts';
import { idTokenClaims, unsignedToken } from '../emulator/google/idTokens.ts';
import { expectError } from '../support/publicEndpoint.ts';
import type { RawResponse } from '../support/rawRequest.ts';
import { rootOf, serviceRequest } from '../support/serviceRequest.ts';
import { testStack } from '../support/stack.ts';

const errorBody = z.strictObject({ message: z.string() });

/** Starts a deployed function, uses it, and stops it. */
async function withDeployed<Result>(
  functionId: string,
  env: Readonly<Record<string, string>>,
  use: (deployed: DeployedFunction) => Promise<Result>,
): Promise<Result> {
  // The longest deadline, so that the speed of the machine does not affect the result.
  const deployed = await serveDeployed(
    functionId,
    { DEADLINE_SECONDS: '30', ...env },
    testStack().functionsFolder,
  );
  try {
    return await use(deployed);
  } finally {
    await deployed.stop();
  }
}

describe('a deployed function', () => {
  const firestore = stackFirestore();
  const { firestoreHost, authHost } = testStack();

  test.each(deployedEndpoints.map(({ functionId, endpoint }) => [functionId, endpoint] as const))(
    '%s returns what it declares, or 401',
    async (functionId, { declaration }) => {
      const { method, access, response } = declaration;
      const path = declaration.path.replace(/\{\w+\}/g, 'artist-alice');

      const received = await withDeployed(
        functionId,
        { FIRESTORE_EMULATOR_HOST: firestoreHost },
        ({ origin }) => serviceRequest(rootOf(origin), path, { method }),
      );

      const isPublic = access === 'public';
      const body: unknown = JSON.parse(received.text);
      expect(received.status).toBe(isPublic ? 200 : 401);
      // The remaining cache lifetime.
      expect(received.headers['cache-control']).toMatch(
        isPublic ? /^public, max-age=0, s-maxage=(60|[1-5]?\d)$/ : /^private, no-store$/,
      );
      expect((isPublic ? response : errorBody).parse(body)).toEqual(body);
    },
  );

  /** The response of a signed-in function to an unsigned token. */
  async function sendUnsigned(env: Readonly<Record<string, string>>): Promise<RawResponse> {
    const token = unsignedToken(idTokenClaims('demo-tattoo-test', 'alice'));
    return withDeployed(
      'notifications-resetNewNotifications',
      { FIRESTORE_EMULATOR_HOST: firestoreHost, ...env },
      ({ origin }) =>
        serviceRequest(rootOf(origin), '/', {
          documentedAs: '/notifications/reset-new-notifications',
          method: 'POST',
          headers: { Authorization: `Bearer ${token}` },
        }),
    );
  }

  test('refuses an unsigned token', async () => {
    expectError(await sendUnsigned({}), 401, 'The ID token is invalid or expired. Sign in again.');
  });

  test('rejects every token if the Auth emulator’s variable is set', async () => {
    expectError(
      await sendUnsigned({ FIREBASE_AUTH_EMULATOR_HOST: authHost }),
      503,
      'The service is temporarily unavailable. Please try again in a few seconds.',
    );
  });

  test('refuses ids that URL resolution would remove, and malformed escapes, with our own messages', async () => {
    const responses = await withDeployed(
      'flash-listByArtist',
      { FIRESTORE_EMULATOR_HOST: firestoreHost },
      ({ origin }) =>
        Promise.all(
          ['..', '.', '%2e%2e', '%zz', '%'].map((id) =>
            serviceRequest(rootOf(origin), `/api/flash/artist/${id}/paginated`),
          ),
        ),
    );

    for (const response of responses.slice(0, 3)) expectError(response, 400, /^id must be an id/);
    for (const response of responses.slice(3)) {
      expectError(response, 400, 'The path has a malformed percent-escape.');
    }
  });

  test('returns 503 within its deadline while Firestore cannot be reached', async () => {
    const [closedPort = 0] = await freePortList(1);

    const response = await withDeployed(
      'artists-list',
      { FIRESTORE_EMULATOR_HOST: `127.0.0.1:${closedPort}`, DEADLINE_SECONDS: '1' },
      ({ origin }) => serviceRequest(rootOf(origin), '/api/artists'),
    );

    expectError(
      response,
      503,
      'The service is temporarily unavailable. Please try again in a few seconds.',
    );
    expect(response.headers['retry-after']).toMatch(/^\d+$/);
  });

  test('logs the document and the field of a value with a wrong type, but not the value', async () => {
    const artistId = freshId('artist');
    const id = freshId('listing');
    const bad = storedListing({ artistId, artistName: 7, sourceData: { caption: ['private'] } });
    await store(firestore, 'flash', { [id]: bad });

    const logs = await withDeployed(
      'flash-listByArtist',
      { FIRESTORE_EMULATOR_HOST: firestoreHost },
      async ({ origin, logs }) => {
        await serviceRequest(rootOf(origin), `/api/flash/artist/${artistId}/paginated`);
        return logs;
      },
    );

    expect(logs).toContainEqual({
      severity: 'WARNING',
      message: 'Stored values of a wrong type were ignored.',
      count: 2,
      examples: ['artistName', 'sourceData.caption'].map((field) => ({
        document: `flash/${id}`,
        field,
      })),
    });
    expect(JSON.stringify(logs)).not.toContain('private');
  });
});
