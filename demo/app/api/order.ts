/** A listing with its position in the artist's list. */
interface Ordered {
  readonly id: string;
  readonly order?: number;
}

/** Returns the items with the item at one index moved to another index. */
export function moveItem<Item>(items: readonly Item[], from: number, to: number): Item[] {
  return items.toSpliced(from, 1).toSpliced(to, 0, ...items.slice(from, from + 1));
}

/**
 * Returns what to store after a listing was moved to this index: one number between those of its neighbors. If there is no
 * such number, all listings get a new one.
 */
export function orderChanges(
  listings: readonly Ordered[],
  index: number,
): { id: string; order: number }[] {
  const order = numberBetween(listings[index - 1], listings[index + 1]);
  if (order === undefined) return listings.map(({ id }, position) => ({ id, order: position }));
  return listings.slice(index, index + 1).map(({ id }) => ({ id, order }));
}

function numberBetween(before?: Ordered, after?: Ordered): number | undefined {
  // There is no number beside a missing order.
  const { order: first = NaN } = before ?? {};
  const { order: last = NaN } = after ?? {};
  const low = before ? first : last - 2;
  const high = after ? last : first + 2;
  // The sum of two large numbers may be infinite, the sum of their halves is not.
  const order = low / 2 + high / 2;
  return low < order && order < high ? order : undefined;
}
