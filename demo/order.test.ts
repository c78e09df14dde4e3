/** What the demo stores when listings are moved. */
import fc from 'fast-check';

interface Listing {
  readonly id: string;
  readonly order?: number;
}

interface Order {
  readonly moved: (
    listings: readonly Listing[],
    move: { readonly id: string; readonly after: string | undefined },
  ) => readonly Listing[] | undefined;
  readonly orderChanges: (listings: readonly Listing[]) => { id: string; order: number }[];
}

// The demo is JavaScript, without types.
const { moved, orderChanges } = jest.requireActual<Order>('./app/order.js');

const idsOf = (listings: readonly Listing[]) => listings.map(({ id }) => id);

/** Listings with these orders, in this sequence. */
function listingsOf(orders: readonly (number | undefined)[]): Listing[] {
  return orders.map((order, index) => ({
    id: `id-${index}`,
    ...(order !== undefined && { order }),
  }));
}

/** The listings with their changes stored, as the API lists them: by order, then id. */
function listedAfter(listings: readonly Listing[]): Listing[] {
  const changes = new Map(orderChanges(listings).map(({ id, order }) => [id, order]));
  const stored = listings.map(({ id, order = NaN }) => ({ id, order: changes.get(id) ?? order }));
  return stored.sort((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1));
}

const counted = (length: number, step = 1) => Array.from({ length }, (_, index) => index * step);

test('whatever is stored, the listings come in their sequence after the changes', () => {
  const { MAX_SAFE_INTEGER: largest } = Number;
  const order = fc.option(
    fc.oneof(fc.integer({ min: -3, max: 30 }), fc.double(), fc.constantFrom(largest, largest - 2)),
    { nil: undefined },
  );
  fc.assert(
    fc.property(fc.array(order), (orders) => {
      const listings = listingsOf(orders);
      const changes = orderChanges(listings);

      expect(idsOf(listedAfter(listings))).toEqual(idsOf(listings));
      expect(changes.filter(({ order }) => !(Number.isSafeInteger(order) && order >= 0))).toEqual(
        [],
      );
    }),
  );
});

test.each<[string, orders: number[], id: string, after: string | undefined, changes: number]>([
  ['to the end', counted(501), 'id-0', 'id-500', 1],
  ['by one place', counted(501), 'id-250', 'id-251', 2],
  [
    'to the front, where there is room',
    counted(501, 1000).map((n) => n + 1),
    'id-500',
    undefined,
    1,
  ],
  ['between two with room', counted(501, 10), 'id-500', 'id-3', 1],
  ['between two without', counted(501), 'id-10', 'id-3', 7],
  ['to the front, without room', counted(501), 'id-500', undefined, 500],
  ['where all have the same order', counted(501, 0), 'id-500', 'id-0', 500],
])('a move %s changes no more than it must', (_name, orders, id, after, changes) => {
  const listings = moved(listingsOf(orders), { id, after }) ?? [];

  expect(orderChanges(listings)).toHaveLength(changes);
  expect(idsOf(listedAfter(listings))).toEqual(idsOf(listings));
});

test('a move of a listing that is gone, or after one, changes nothing', () => {
  const listings = listingsOf([1, 2]);

  expect(moved(listings, { id: 'gone', after: 'id-0' })).toBeUndefined();
  expect(moved(listings, { id: 'id-0', after: 'gone' })).toBeUndefined();
});
