import { storedListing } from '../../dev/shared/factories.ts';
import { inProcessService } from '../support/inProcessService.ts';

const service = inProcessService();
const IDS = Array.from({ length: 40 }, (_, n) => `f${n}`);

/** The ids of the pages after a cursor, or of all pages. */
async function idsAfter(cursor: string | undefined, limit: number): Promise<string[]> {
  const parts = { params: { id: 'alice' }, query: { limit: String(limit), cursor } };
  const { text } = await service.call('flash-listByArtist', parts, 'alice');
  const page = JSON.parse(text) as { flash: { id: string }[]; nextCursor?: string };
  const ids = page.flash.map(({ id }) => id);
  const { nextCursor } = page;
  return nextCursor === undefined ? ids : [...ids, ...(await idsAfter(nextCursor, limit))];
}

async function storeOrders(orderOf: (n: number) => number): Promise<void> {
  const listing = (n: number) => storedListing({ artistId: 'alice', order: orderOf(n) });
  await service.store.setAll(IDS.map((id, n) => [`flash/${id}`, listing(n)] as const));
}

test('a cursor that was given out before a reorder leads on from its new place', async () => {
  await storeOrders((n) => n);
  // Gives out f17.
  expect(await idsAfter(undefined, 18)).toEqual(IDS);

  await storeOrders((n) => 10 * n);
  expect(await idsAfter('f17', 18)).toEqual(IDS.slice(18));

  await storeOrders((n) => (n === 17 ? 4.5 : n));
  expect(await idsAfter('f17', 18)).toEqual(IDS.slice(5).filter((id) => id !== 'f17'));
});
