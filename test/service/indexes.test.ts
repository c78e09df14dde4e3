/**
 * Compares firestore.indexes.json with the queries of the endpoints: no index is missing or unused. Firestore requires
 * these indexes; no emulator does.
 */
import { readFileSync } from 'node:fs';
import type { QueryShape } from '../../dev/firestore/usage.ts';
import { writeDemoDocuments } from '../../dev/demo/write.ts';
import { EXAMPLE_CALLER } from '../../functions/src/http/declaration.ts';
import { deployedEndpoints, exampleOf, fileOf } from '../../dev/shared/deployMap.ts';
import { inProcessService } from '../support/inProcessService.ts';

/** A composite index as firestore.indexes.json writes it. */
interface CompositeIndex {
  readonly collectionGroup: string;
  readonly queryScope: 'COLLECTION' | 'COLLECTION_GROUP';
  readonly fields: readonly { readonly fieldPath: string; readonly order: string }[];
}

const service = inProcessService();

/** All queries that the endpoints make for their examples, which are valid requests on the demo data. */
async function queriesOfEndpoints(): Promise<readonly QueryShape[]> {
  const { projectId, store } = service;
  const firestoreHost = process.env.FIRESTORE_EMULATOR_HOST ?? '';
  await writeDemoDocuments({ projectId, firestoreHost });
  for (const deployed of deployedEndpoints) {
    const { functionId } = deployed;
    const example = exampleOf(deployed);
    const ask = async (page: object) => {
      const parts = { ...example, query: { ...example.query, ...page } };
      const { status, text } = await service.call(functionId, parts, EXAMPLE_CALLER);
      const what = `On the demo data (dev/demo), the example of ${fileOf(deployed)}`;
      expect([what, status, text]).toEqual([what, 200, text]);
      return JSON.parse(text) as { nextCursor?: string };
    };
    const { nextCursor } = await ask({ limit: '1' });
    // A later page of a list has another query.
    if (nextCursor !== undefined) await ask({ limit: '1', cursor: nextCursor });
  }
  return (await store.usage()).queries;
}

/**
 * The composite index that a query needs, if any
 * (https://firebase.google.com/docs/firestore/query-data/index-overview). Each field has its own index, which serves a
 * query about that field only; equality filters are served by merging these indexes. Every index ends with the document
 * id, in the direction of the last field.
 */
function indexesOf({ collection, allDescendants, filters, orderBy }: QueryShape): CompositeIndex[] {
  const others = filters.filter(({ op }) => op !== 'EQUAL');
  if (others.length > 0) throw new Error('Add the index that a filter other than == needs.');
  const ordered = orderBy.filter(({ field }) => field !== '__name__');
  if (ordered.length === 0 || ordered.length + filters.length === 1) return [];
  const last = ordered.at(-1)?.direction;
  const byId = orderBy.find(({ field }) => field === '__name__')?.direction ?? last;
  const index: CompositeIndex = {
    collectionGroup: collection,
    queryScope: allDescendants ? 'COLLECTION_GROUP' : 'COLLECTION',
    fields: [
      ...filters.map(({ field }) => ({ fieldPath: field, order: 'ASCENDING' })),
      ...ordered.map(({ field, direction }) => ({ fieldPath: field, order: direction })),
      ...(byId === last ? [] : [{ fieldPath: '__name__', order: byId ?? 'ASCENDING' }]),
    ],
  };
  return [index];
}

interface Indexes {
  readonly indexes: readonly CompositeIndex[];
  readonly fieldOverrides: readonly object[];
}

describe('firestore.indexes.json', () => {
  const { indexes, fieldOverrides } = JSON.parse(
    readFileSync('firestore.indexes.json', 'utf8'),
  ) as Indexes;
  let queries: readonly QueryShape[];

  beforeAll(async () => {
    queries = await queriesOfEndpoints();
  });

  test('has exactly the composite indexes that the queries of the endpoints need', () => {
    const needed = new Set(queries.flatMap(indexesOf).map((index) => JSON.stringify(index)));
    const present = indexes.map((index) => JSON.stringify(index));

    expect({ lacks: [...needed].filter((index) => !present.includes(index)) }).toEqual({
      lacks: [],
    });
    expect(present.sort()).toEqual([...needed].sort());
    expect(needed.size).toBeGreaterThan(0);
  });

  test('excludes the only field with caller-defined keys from indexing', () => {
    // Each of its members would be an index entry, and a document may have at most 40 000.
    expect(fieldOverrides).toEqual([
      { collectionGroup: 'availability', fieldPath: 'weeklySlots', indexes: [] },
    ]);
  });

  test('serves only queries with a limit, and counts', () => {
    const unlimited = queries.filter(({ limited, aggregated }) => !limited && !aggregated);

    expect(unlimited.map(({ collection }) => collection)).toEqual([]);
  });
});
