/** The `order` values that the demo stores when a listing is moved. */
import fc from 'fast-check';
import { moveItem, orderChanges } from './app/api/order.ts';

type Listing = Parameters<typeof orderChanges>[0][number];

const getIds = (listings: readonly Listing[]) => listings.map(({ id }) => id);

/** Moves a listing in a list with these orders, and returns what is stored for that. */
function move(orders: readonly (number | undefined)[], from: number, to: number) {
  const listings = orders.map((order, index) => ({
    id: `id-${index}`,
    ...(order !== undefined && { order }),
  }));
  const shown = moveItem(listings, from, to);
  return { listings, shown, changes: orderChanges(shown, to) };
}

const LARGEST = Number.MAX_VALUE;

test.each<[string, orders: (number | undefined)[], from: number, to: number, stored: number[]]>([
  ['between two others', [1, 2, 3], 2, 1, [1.5]],
  ['to the front', [1, 2, 3], 2, 0, [0]],
  ['to the end', [1, 2, 3], 0, 2, [4]],
  ['between large numbers', [LARGEST / 2, LARGEST, 3], 2, 1, [0.75 * LARGEST]],
  ['beside one that has no order', [1, undefined, 3], 0, 1, [0, 1, 2]],
  ['between two with the same order', [1, 2, 2], 0, 1, [0, 1, 2]],
  ['between two without a number between them', [3, 1, 1 + Number.EPSILON], 0, 1, [0, 1, 2]],
  ['behind the largest number', [1, LARGEST], 0, 1, [0, 1]],
])('a listing moved %s gets one number, or all get new ones', (_name, ...row) => {
  const [orders, from, to, stored] = row;

  expect(move(orders, from, to).changes.map(({ order }) => order)).toEqual(stored);
});

test('listings come as they are shown once the changes are stored', () => {
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
