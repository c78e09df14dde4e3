/** The listings with the one at an index moved to another. */
export function moved(listings, from, to) {
  return listings.toSpliced(from, 1).toSpliced(to, 0, listings[from]);
}

/**
 * What to store after a listing was moved to this index: one number between those of its neighbours. Where there is none,
 * all listings get a new one.
 */
export function orderChanges(listings, index) {
  const order = numberBetween(listings[index - 1], listings[index + 1]);
  if (order !== undefined) return [{ id: listings[index].id, order }];
  return listings.map(({ id }, place) => ({ id, order: place }));
}

function numberBetween(before, after) {
  const low = before ? before.order : after?.order - 2;
  const high = after ? after.order : before?.order + 2;
  // The sum of two large numbers may be infinite, that of their halves is not.
  const order = low / 2 + high / 2;
  return low < order && order < high ? order : undefined;
}
