import type { FlashListing } from '@tattoo-marketplace/client';

/** Returns the items with the item at one index moved to another index. */
export function moveItem<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const moved = [...items];
  moved.splice(to, 0, ...moved.splice(from, 1));
  return moved;
}

/**
 * Returns what to store after a listing was moved to this index: one number between those of its neighbors. If there is no
 * such number, all listings get a new one.
 */
export function orderChanges(
  listings: readonly Pick<FlashListing, 'id' | 'order'>[],
  index: number,
) {
  // There is no number beside a missing order.
  const [before = NaN, after = NaN] = [listings[index - 1]?.order, listings[index + 1]?.order];
  const low = index > 0 ? before : after - 2;
  const high = index < listings.length - 1 ? after : before + 2;
  // The sum of two large numbers may be infinite, the sum of their halves is not.
  const order = low / 2 + high / 2;
  return low < order && order < high
    ? listings.slice(index, index + 1).map(({ id }) => ({ id, order }))
    : listings.map(({ id }, position) => ({ id, order: position }));
}
