/**
 * Compares firestore.indexes.json with the queries of the endpoints: no index is missing or unused. Firestore requires
 * these indexes; no emulator does.
 */
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import type { CompositeIndex } from '../../dev/firestore/indexes.ts';
import type { QueryShape } from '../../dev/firestore/usage.ts';
import { demoDocuments, EXAMPLE_CALLER } from '../../dev/demo/documents.ts';
import {
  deployedEndpoints,
  exampleOf,
  fileOf,
  type DeployedEndpoint,
} from '../../dev/shared/deployMap.ts';
import { withoutWrappers } from '../../functions/src/fields.ts';
import { inProcessService } from '../support/inProcessService.ts';

const service = inProcessService();

type Query = Readonly<Record<string, unknown>>;

/**
 * The queries of an example with and without each optional parameter, and with each value of an enum: a filter or an
 * order may need an index of its own.
 */
function variantsOf(deployed: DeployedEndpoint): Query[] {
  const { shape } = deployed.endpoint.declaration.query ?? z.object();
  const example: Query = exampleOf(deployed).query ?? {};
  let variants: Query[] = [{}];
  for (const [name, schema] of Object.entries<z.ZodType>(shape)) {
    if (name === 'limit' || name === 'cursor') continue;
    if (example[name] === undefined)
      throw new Error(`The example of ${fileOf(deployed)} lacks ${name}.`);
    const type = withoutWrappers(schema);
    const values = type instanceof z.ZodEnum ? type.options : [example[name]];
    const isOptional = schema.safeParse(undefined).success;
    variants = [...values, ...(isOptional ? [undefined] : [])].flatMap((value) =>
      variants.map((variant) => ({ ...variant, [name]: value })),
    );
  }
  return variants;
}

/** All queries that the endpoints make for their examples, which are valid requests on the demo data. */
async function queriesOfEndpoints(): Promise<readonly QueryShape[]> {
  const { store } = service;
  await store.setAll(demoDocuments());
  for (const deployed of deployedEndpoints) {
    const { functionId } = deployed;
    const example = exampleOf(deployed);
    const ask = async (query: Query) => {
      const parts = { ...example, query };
      const { status, text } = await service.call(functionId, parts, EXAMPLE_CALLER);
      const what = `On the demo data (dev/demo), the example of ${fileOf(deployed)}`;
      expect([what, status, text]).toEqual([what, 200, text]);
      return JSON.parse(text) as { nextCursor?: string };
    };
    for (const query of variantsOf(deployed)) {
      const { nextCursor } = await ask({ ...query, limit: '1' });
      // A later page of a list has another query.
      if (nextCursor !== undefined) await ask({ ...query, limit: '1', cursor: nextCursor });
    }
  }
  return (await store.usage()).queries;
}

interface IndexFile {
  readonly indexes: readonly CompositeIndex[];
  readonly fieldOverrides: readonly { readonly collectionGroup: string }[];
}

describe('firestore.indexes.json', () => {
  const file = JSON.parse(readFileSync('firestore.indexes.json', 'utf8')) as IndexFile;
  let queries: readonly QueryShape[];

  beforeAll(async () => {
    queries = await queriesOfEndpoints();
  });

  test('has the composite indexes that the queries of the endpoints need, and no others for their collections', () => {
    const needed = queries.flatMap(({ needs }) => needs);
    const collections = queries.map(({ collection }) => collection);
    const present = file.indexes.filter((index) => collections.includes(index.collectionGroup));
    const textOf = (index: object) => JSON.stringify({ ...index, equal: undefined });

    expect(needed.length).toBeGreaterThan(0);
    expect(present.map(textOf).sort()).toEqual([...new Set(needed.map(textOf))].sort());
  });

  test('excludes the only field with caller-defined keys from indexing', () => {
    // Each of its members would be an index entry, and a document may have at most 40 000.
    expect(file.fieldOverrides).toContainEqual({
      collectionGroup: 'availability',
      fieldPath: 'weeklySlots',
      indexes: [],
    });
  });

  test('serves only queries with a limit, and counts', () => {
    const unlimited = queries.filter(({ isBounded }) => !isBounded);

    expect(unlimited.map(({ collection }) => collection)).toEqual([]);
  });
});
