import { serveDeployed, type DeployedFunction } from './support/deployedFunction.ts';
import { deployedEndpoints } from './support/deployMap.ts';
import { storedListing } from './support/factories.ts';
import { freshId, stackFirestore, store } from './support/firestore.ts';
import { freePortList } from './emulator/ports.ts';
import { expectError } from './support/publicEndpoint.ts';
import { rawRequest } from './support/rawRequest.ts';
import { testStack } from './support/stack.ts';

/** Uses a function as it is deployed, and stops it. */
async function withDeployed<Result>(
  functionId: string,
  env: Readonly<Record<string, string>>,
  use: (deployed: DeployedFunction) => Promise<Result>,
): Promise<Result> {
  const deployed = await serveDeployed(functionId, env);
  try {
    return await use(deployed);
  } finally {
    await deployed.stop();
  }
}

describe('a function as it is deployed', () => {
  const firestore = stackFirestore();
  const { firestoreHost } = testStack();

  test.each(deployedEndpoints.map(({ functionId, endpoint }) => [functionId, endpoint] as const))(
    '%s answers in the form of its declaration',
    async (functionId, { declaration }) => {
      const path = declaration.path.replace(/\{\w+\}/g, 'artist-alice');

      const answer = await withDeployed(
        functionId,
        { FIRESTORE_EMULATOR_HOST: firestoreHost },
        ({ origin }) => rawRequest(origin, path),
      );

      expect(answer.status).toBe(200);
      expect(answer.headers['cache-control']).toBe('public, max-age=60, s-maxage=60');
      expect(declaration.response.parse(JSON.parse(answer.text))).toEqual(JSON.parse(answer.text));
    },
  );

  test('refuses ids that the web would resolve, and malformed escapes, in our own words', async () => {
    const answers = await withDeployed(
      'flash-listByArtist',
      { FIRESTORE_EMULATOR_HOST: firestoreHost },
      ({ origin }) =>
        Promise.all(
          ['..', '.', '%2e%2e', '%zz', '%'].map((id) =>
            rawRequest(origin, `/api/flash/artist/${id}/paginated`),
          ),
        ),
    );

    for (const answer of answers.slice(0, 3)) expectError(answer, 400, /^id must be an id/);
    for (const answer of answers.slice(3)) {
      expectError(answer, 400, 'The path holds a malformed percent-escape.');
    }
  });

  test('answers 503 within its deadline while Firestore cannot be reached', async () => {
    const [nobody = 0] = await freePortList(1);

    const answer = await withDeployed(
      'artists-list',
      { FIRESTORE_EMULATOR_HOST: `127.0.0.1:${nobody}`, DEADLINE_SECONDS: '1' },
      ({ origin }) => rawRequest(origin, '/api/artists'),
    );

    expectError(
      answer,
      503,
      'The service cannot answer right now. Please try again in a few seconds.',
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
        await rawRequest(origin, `/api/flash/artist/${artistId}/paginated`);
        return logs;
      },
    );

    expect(logs).toEqual([
      {
        severity: 'WARNING',
        message: 'Stored values of a wrong type were left out.',
        document: `flash/${id}`,
        fields: ['artistName', 'sourceData.caption'],
      },
    ]);
  });
});
