/** Tests the `order` values to store after a listing was moved. */
import fc from 'fast-check';
import { applyFlashUpdates, computeFlashUpdates } from '@tattoo-marketplace/client';

/** Moves a listing in a list with these orders. Returns the former list and the updates to store. */
function move(orders: readonly (number | undefined)[], from: number, to: number) {
  const listings = orders.map((order, index) => ({ id: `id-${index}`, order }));
  return { listings, updates: computeFlashUpdates(listings, `id-${from}`, to) };
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
  expect(move(orders, from, to).updates.map(({ order }) => order)).toEqual(stored);
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
  expect(move(orders, from, to).updates.map(({ order }) => order)).toEqual(stored);
});

test.each<{ name: string; id: string; index: number }>([
  { name: 'is not in the list', id: 'id-9', index: 0 },
  { name: 'stays at its place', id: 'id-1', index: 1 },
])('there is nothing to store if the listing $name', ({ id, index }) => {
  const listings = [1, 2, 3].map((order) => ({ id: `id-${order - 1}`, order }));

  expect(computeFlashUpdates(listings, id, index)).toEqual([]);
});

test('a list in its stored order has the moved listing at its new place, and the others in their order', () => {
  const increasing = fc
    .uniqueArray(fc.double({ noDefaultInfinity: true, noNaN: true }), { minLength: 1 })
    .map((orders) => orders.sort((a, b) => a - b));
  fc.assert(
    fc.property(increasing, fc.nat(), fc.nat(), (orders, randomFrom, randomTo) => {
      const { length } = orders;
      const [from, to] = [randomFrom % length, randomTo % length];
      const { listings, updates } = move(orders, from, to);
      const ids = applyFlashUpdates(listings, updates).map(({ id }) => id);
      const others = listings.map(({ id }) => id).filter((id) => id !== `id-${from}`);

      expect(ids.indexOf(`id-${from}`)).toBe(to);
      expect(ids.filter((id) => id !== `id-${from}`)).toEqual(others);
      expect([0, 1, length]).toContain(updates.length);
    }),
  );
});
