/**
 * Compares firestore.indexes.json with the queries of the endpoints: no index is missing or unused. Firestore requires
 * these indexes; no emulator does.
 */
import { readFileSync } from 'node:fs';
import type { QueryShape } from '../emulator/firestore/usage.ts';
import { writeDemoDocuments } from '../emulator/demo/write.ts';
import { EXAMPLE_CALLER, type Endpoint } from '../../functions/src/http/declaration.ts';
import { deployedEndpoints } from '../support/deployMap.ts';
import { exampleRequest } from '../support/exampleRequests.ts';
import { inProcessService } from '../support/inProcessService.ts';

/** A composite index as firestore.indexes.json writes it. */
interface CompositeIndex {
  readonly collectionGroup: string;
  readonly queryScope: 'COLLECTION' | 'COLLECTION_GROUP';
  readonly fields: readonly { readonly fieldPath: string; readonly order: string }[];
}

const service = inProcessService();

/** The examples are valid requests on the demo data. */
const DEMO = { uid: EXAMPLE_CALLER } as const;

function isPaged({ declaration }: Endpoint): boolean {
  return 'cursor' in (declaration.query?.shape ?? {});
}

/** All queries that the endpoints make for their examples. */
async function queriesOfEndpoints(): Promise<QueryShape[]> {
  const { projectId, store } = service;
  const token = service.tokenOf(EXAMPLE_CALLER);
  const firestoreHost = process.env.FIRESTORE_EMULATOR_HOST ?? '';
  await writeDemoDocuments({ projectId, firestoreHost });
  for (const { functionId, endpoint } of deployedEndpoints) {
    const ask = async (query: Readonly<Record<string, string>>) => {
      const { path, ...request } = exampleRequest(functionId, DEMO, token, query);
      const { status, text } = await service.send(functionId, path, request);
      if (status !== 200) throw new Error(`${functionId} answered ${status}: ${text}`);
      return JSON.parse(text) as { nextCursor?: string };
    };
    // A later page of a list has another query.
    const { nextCursor } = await ask(isPaged(endpoint) ? { limit: '1' } : {});
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
function indexOf({
  collection,
  allDescendants,
  filters,
  orderBy,
}: QueryShape): CompositeIndex | undefined {
  const others = filters.filter(({ op }) => op !== 'EQUAL');
  if (others.length > 0) throw new Error('Add the index that a filter other than == needs.');
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

/** Indexes as sorted texts without duplicates, so that two lists are comparable. */
function sorted(indexes: readonly (CompositeIndex | undefined)[]): string[] {
  const texts = indexes.flatMap((index) => (index ? [JSON.stringify(index)] : []));
  return [...new Set(texts)].sort();
}

function readIndexes(): { indexes: CompositeIndex[]; fieldOverrides: unknown[] } {
  return JSON.parse(readFileSync('firestore.indexes.json', 'utf8')) as ReturnType<
    typeof readIndexes
  >;
}

describe('firestore.indexes.json', () => {
  let queries: QueryShape[];

  beforeAll(async () => {
    queries = await queriesOfEndpoints();
  });

  test('has exactly the composite indexes that the queries of the endpoints need', () => {
    const { indexes } = readIndexes();

    expect(queries.length).toBeGreaterThan(0);
    expect(sorted(indexes)).toEqual(sorted(queries.map(indexOf)));
    expect(indexes).toHaveLength(sorted(indexes).length);
  });

  test('excludes the only field with caller-defined keys from indexing', () => {
    // Each of its members would be an index entry, and a document may have at most 40 000.
    expect(readIndexes().fieldOverrides).toEqual([
      { collectionGroup: 'availability', fieldPath: 'weeklySlots', indexes: [] },
    ]);
  });

  test('serves only queries with a limit, and counts', () => {
    const unlimited = queries.filter(({ limited, aggregated }) => !limited && !aggregated);

    expect(unlimited.map(({ collection }) => collection)).toEqual([]);
  });
});
