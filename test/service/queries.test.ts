/** The queries that the service sends to Firestore. */
import { demoDocuments, EXAMPLE_CALLER } from '../../demo/documents.ts';
import { deployedEndpoints, exampleOf } from '../../functions/declared/deployMap.ts';
import { inProcessService } from '../support/inProcessService.ts';

const service = inProcessService();

test('serves only queries with a limit, and counts', async () => {
  const { store } = service;
  await store.setAll(demoDocuments());
  for (const deployed of deployedEndpoints) {
    const { functionId } = deployed;
    const example = exampleOf(deployed);
    const ask = async (page: Readonly<Record<string, string>>) => {
      const parts = { ...example, query: { ...example.query, limit: '1', ...page } };
      const { status, text } = await service.call(functionId, parts, EXAMPLE_CALLER);
      expect([functionId, status, text]).toEqual([functionId, 200, text]);
      return (JSON.parse(text) as { nextCursor?: string }).nextCursor;
    };
    const cursor = await ask({});
    // A later page of a list has another query.
    if (cursor !== undefined) await ask({ cursor });
  }

  const { queries } = await store.usage();
  const unlimited = queries.filter(({ isBounded }) => !isBounded);
  expect(unlimited.map(({ collection }) => collection)).toEqual([]);
  expect(queries).not.toEqual([]);
});
