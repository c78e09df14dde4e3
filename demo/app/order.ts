/** What is moved: a listing, with its place in the list. */
interface Ordered {
  readonly id: string;
  readonly order?: number;
}

/** The elements with the one at an index moved to another. */
export function moved<Element>(elements: readonly Element[], from: number, to: number): Element[] {
  return elements.toSpliced(from, 1).toSpliced(to, 0, ...elements.slice(from, from + 1));
}

/**
 * What to store after a listing was moved to this index: one number between those of its neighbours. Where there is none,
 * all listings get a new one.
 */
export function orderChanges(
  listings: readonly Ordered[],
  index: number,
): { id: string; order: number }[] {
  const order = numberBetween(listings[index - 1], listings[index + 1]);
  if (order === undefined) return listings.map(({ id }, place) => ({ id, order: place }));
  return listings.slice(index, index + 1).map(({ id }) => ({ id, order }));
}

function numberBetween(before?: Ordered, after?: Ordered): number | undefined {
  // Without an order there is no number beside it.
  const { order: first = NaN } = before ?? {};
  const { order: last = NaN } = after ?? {};
  const low = before ? first : last - 2;
  const high = after ? last : first + 2;
  // The sum of two large numbers may be infinite, that of their halves is not.
  const order = low / 2 + high / 2;
  return low < order && order < high ? order : undefined;
}
