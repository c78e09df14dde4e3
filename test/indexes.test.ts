/**
 * Holds firestore.indexes.json to the queries that the endpoints make: nothing missing, nothing unused. Firestore
 * demands these indexes, no emulator does.
 */
import { readFileSync } from 'node:fs';
import { connectToControl } from './emulator/firestore/control.ts';
import type { QueryShape, RecordedQuery } from './emulator/firestore/meter.ts';
import { startEmbeddedFirestore } from './emulator/firestore/server.ts';
import { writeDemoDocuments } from './demo/write.ts';
import { deployedEndpoints } from './support/deployMap.ts';
import { serveInProcess } from './support/inProcess.ts';
import { rawRequest } from './support/rawRequest.ts';

/** A composite index as firestore.indexes.json writes it. */
interface CompositeIndex {
  readonly collectionGroup: string;
  readonly queryScope: 'COLLECTION' | 'COLLECTION_GROUP';
  readonly fields: readonly { readonly fieldPath: string; readonly order: string }[];
}

const PROJECT = 'demo-indexes';

/** For each endpoint, requests that between them make every query that it can make. */
const REQUESTS: Readonly<Record<string, readonly string[]>> = {
  'artists-list': ['/artists'],
  'flash-listByArtist': [
    '/flash/artist/artist-mara-voss/paginated',
    '/flash/artist/artist-mara-voss/paginated?cursor=flash-mara-voss-000',
  ],
  'gallery-listByArtist': [
    '/gallery/artist/artist-mara-voss/paginated',
    '/gallery/artist/artist-mara-voss/paginated?cursor=photo-mara-voss-000',
  ],
};

/** Every query that the endpoints make. */
async function queriesOfEndpoints(): Promise<RecordedQuery[]> {
  const embedded = await startEmbeddedFirestore();
  const control = connectToControl(embedded.address);
  try {
    process.env.FIRESTORE_EMULATOR_HOST = embedded.address;
    process.env.GCLOUD_PROJECT = PROJECT;
    process.env.DEADLINE_SECONDS = '10';
    await writeDemoDocuments({ projectId: PROJECT, firestoreHost: embedded.address });
    for (const { functionId, endpoint } of deployedEndpoints) {
      const served = await serveInProcess(endpoint);
      for (const path of REQUESTS[functionId] ?? []) {
        const { status } = await rawRequest(served.origin, path);
        if (status !== 200) throw new Error(`${path} answered ${status}`);
      }
      await served.stop();
    }
    return await control.queries(PROJECT);
  } finally {
    control.close();
    await embedded.stop();
  }
}

/**
 * The composite index that a query needs, if any (https://firebase.google.com/docs/firestore/query-data/index-overview).
 * Each field has an index by itself, which serves a query about that field alone; queries by equality alone are
 * served by merging those. The document id ends every index, in the direction of the last field.
 */
function indexOf({
  collection,
  allDescendants,
  filters,
  orderBy,
}: QueryShape): CompositeIndex | undefined {
  const others = filters.filter(({ op }) => op !== 'EQUAL');
  if (others.length > 0) throw new Error('Say here which index a filter other than == needs.');
  const ordered = orderBy.filter(({ field }) => field !== '__name__');
  if (ordered.length === 0 || ordered.length + filters.length === 1) return undefined;
  const last = ordered.at(-1)?.direction;
  const byId = orderBy.find(({ field }) => field === '__name__')?.direction ?? last;
  return {
    collectionGroup: collection,
    queryScope: allDescendants ? 'COLLECTION_GROUP' : 'COLLECTION',
    fields: [
      ...filters.map(({ field }) => ({ fieldPath: field, order: 'ASCENDING' })),
      ...ordered.map(({ field, direction }) => ({ fieldPath: field, order: direction })),
      ...(byId === last ? [] : [{ fieldPath: '__name__', order: byId ?? 'ASCENDING' }]),
    ],
  };
}

/** Indexes as texts without repetition, so that two lists compare whatever their order. */
function sorted(indexes: readonly (CompositeIndex | undefined)[]): string[] {
  const texts = indexes.flatMap((index) => (index ? [JSON.stringify(index)] : []));
  return [...new Set(texts)].sort();
}

describe('firestore.indexes.json', () => {
  let queries: RecordedQuery[];

  beforeAll(async () => {
    queries = await queriesOfEndpoints();
  });

  test('has exactly the composite indexes that the queries of the endpoints need', () => {
    const { indexes, fieldOverrides } = JSON.parse(
      readFileSync('firestore.indexes.json', 'utf8'),
    ) as { indexes: CompositeIndex[]; fieldOverrides: unknown[] };

    expect(Object.keys(REQUESTS).sort()).toEqual(
      deployedEndpoints.map(({ functionId }) => functionId).sort(),
    );
    expect(queries.length).toBeGreaterThan(0);
    expect(sorted(indexes)).toEqual(sorted(queries.map(indexOf)));
    expect(indexes).toHaveLength(sorted(indexes).length);
    expect(fieldOverrides).toEqual([]);
  });

  test('serves no query without a limit but the counts and the artist list', () => {
    const unlimited = queries.filter(({ limited, aggregated }) => !limited && !aggregated);

    expect(unlimited.map(({ collection }) => collection)).toEqual(['users']);
  });
});
