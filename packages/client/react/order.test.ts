/** Tests the `order` values that the demo stores after a listing was moved. */
import fc from 'fast-check';
import { moveItem, orderChanges } from './order.ts';

type Listing = Parameters<typeof orderChanges>[0][number];

const getIds = (listings: readonly Listing[]) => listings.map(({ id }) => id);

/** Moves a listing in a list with these orders. Returns the new list and the changes to store. */
function move(orders: readonly (number | undefined)[], from: number, to: number) {
  const listings = orders.map((order, index) => ({
    id: `id-${index}`,
    ...(order !== undefined && { order }),
  }));
  const movedListings = moveItem(listings, from, to);
  return { listings, shown: movedListings, changes: orderChanges(movedListings, to) };
}

const LARGEST = Number.MAX_VALUE;

interface MoveCase {
  name: string;
  orders: (number | undefined)[];
  from: number;
  to: number;
  stored: number[];
}

test.each<MoveCase>([
  { name: 'between two listings', orders: [1, 2, 3], from: 2, to: 1, stored: [1.5] },
  { name: 'to the front', orders: [1, 2, 3], from: 2, to: 0, stored: [0] },
  { name: 'to the end', orders: [1, 2, 3], from: 0, to: 2, stored: [4] },
  {
    name: 'between large numbers',
    orders: [LARGEST / 2, LARGEST, 3],
    from: 2,
    to: 1,
    stored: [0.75 * LARGEST],
  },
])('a listing moved $name gets a number between its neighbors', ({ orders, from, to, stored }) => {
  expect(move(orders, from, to).changes.map(({ order }) => order)).toEqual(stored);
});

test.each<MoveCase>([
  {
    name: 'beside a listing without an order',
    orders: [1, undefined, 3],
    from: 0,
    to: 1,
    stored: [0, 1, 2],
  },
  {
    name: 'between two listings with the same order',
    orders: [1, 2, 2],
    from: 0,
    to: 1,
    stored: [0, 1, 2],
  },
  {
    name: 'between two adjacent numbers',
    orders: [3, 1, 1 + Number.EPSILON],
    from: 0,
    to: 1,
    stored: [0, 1, 2],
  },
  { name: 'behind the largest number', orders: [1, LARGEST], from: 0, to: 1, stored: [0, 1] },
])('all listings get new numbers if one is moved $name', ({ orders, from, to, stored }) => {
  expect(move(orders, from, to).changes.map(({ order }) => order)).toEqual(stored);
});

test('the stored changes result in the order that is shown', () => {
  const increasing = fc
    .uniqueArray(fc.double({ noDefaultInfinity: true, noNaN: true }), { minLength: 1 })
    .map((orders) => orders.sort((a, b) => a - b));
  fc.assert(
    fc.property(increasing, fc.nat(), fc.nat(), (orders, from, to) => {
      const { length } = orders;
      const { listings, shown, changes } = move(orders, from % length, to % length);
      const stored = new Map(changes.map(({ id, order }) => [id, order]));
      const listed = listings.map(({ id, order }) => ({ id, order: stored.get(id) ?? order ?? 0 }));
      listed.sort((a, b) => a.order - b.order);

      expect(getIds(listed)).toEqual(getIds(shown));
      expect(changes.length === 1 || changes.length === length).toBe(true);
    }),
  );
});
