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

/** Uses a function as it is deployed, and stops it. */
async function withDeployed<Result>(
  functionId: string,
  env: Readonly<Record<string, string>>,
  use: (deployed: DeployedFunction) => Promise<Result>,
): Promise<Result> {
  // The longest deadline there is: how fast the machine is must not decide what is answered.
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

describe('a function as it is deployed', () => {
  const firestore = stackFirestore();
  const { firestoreHost, authHost } = testStack();

  test.each(deployedEndpoints.map(({ functionId, endpoint }) => [functionId, endpoint] as const))(
    '%s answers in the form of its declaration, or asks to sign in',
    async (functionId, { declaration }) => {
      const { method, access, response } = declaration;
      const path = declaration.path.replace(/\{\w+\}/g, 'artist-alice');

      const answer = await withDeployed(
        functionId,
        { FIRESTORE_EMULATOR_HOST: firestoreHost },
        ({ origin }) => serviceRequest(rootOf(origin), path, { method }),
      );

      const isPublic = access === 'public';
      const body: unknown = JSON.parse(answer.text);
      expect(answer.status).toBe(isPublic ? 200 : 401);
      // What is left of the time since its data was read.
      expect(answer.headers['cache-control']).toMatch(
        isPublic ? /^public, max-age=0, s-maxage=(60|[1-5]?\d)$/ : /^private, no-store$/,
      );
      expect((isPublic ? response : errorBody).parse(body)).toEqual(body);
    },
  );

  /** What a function that asks callers to be signed in answers to an unsigned token. */
  async function answerToUnsigned(env: Readonly<Record<string, string>>): Promise<RawResponse> {
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
    expectError(
      await answerToUnsigned({}),
      401,
      'The ID token is invalid or expired. Sign in again.',
    );
  });

  test('trusts nobody where it finds the Auth emulator’s variable', async () => {
    expectError(
      await answerToUnsigned({ FIREBASE_AUTH_EMULATOR_HOST: authHost }),
      503,
      'The service is temporarily unavailable. Please try again in a few seconds.',
    );
  });

  test('refuses ids that the web would resolve, and malformed escapes, in our own words', async () => {
    const answers = await withDeployed(
      'flash-listByArtist',
      { FIRESTORE_EMULATOR_HOST: firestoreHost },
      ({ origin }) =>
        Promise.all(
          ['..', '.', '%2e%2e', '%zz', '%'].map((id) =>
            serviceRequest(rootOf(origin), `/api/flash/artist/${id}/paginated`),
          ),
        ),
    );

    for (const answer of answers.slice(0, 3)) expectError(answer, 400, /^id must be an id/);
    for (const answer of answers.slice(3)) {
      expectError(answer, 400, 'The path has a malformed percent-escape.');
    }
  });

  test('answers 503 within its deadline while Firestore cannot be reached', async () => {
    const [nobody = 0] = await freePortList(1);

    const answer = await withDeployed(
      'artists-list',
      { FIRESTORE_EMULATOR_HOST: `127.0.0.1:${nobody}`, DEADLINE_SECONDS: '1' },
      ({ origin }) => serviceRequest(rootOf(origin), '/api/artists'),
    );

    expectError(
      answer,
      503,
      'The service is temporarily unavailable. Please try again in a few seconds.',
    );
    expect(answer.headers['retry-after']).toMatch(/^\d+$/);
  });

  test('logs which document and which field hold a value of a wrong type, and not the value', async () => {
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
