/** How listings are moved: what to store so that they come in the order that is shown. */

/** The largest whole number that is exact. */
const LARGEST = Number.MAX_SAFE_INTEGER;
/** How far apart the listings at the end are put, so that there is room between them for later moves. */
const STEP = 1000;

/** The listings with one of them moved behind another, or to the front; `undefined` if one of the two is not there. */
export function moved(listings, { id, after }) {
  const listing = listings.find((one) => one.id === id);
  const others = listings.filter((one) => one !== listing);
  const index = after === undefined ? 0 : others.findIndex((one) => one.id === after) + 1;
  if (listing === undefined || (after !== undefined && index === 0)) return undefined;
  return others.toSpliced(index, 0, listing);
}

/**
 * The fewest changes, `{ id, order }`, after which these listings are stored in this sequence. The last one comes first:
 * where several requests are needed, the listings that are pushed back do not pass others between two requests.
 */
export function orderChanges(listings) {
  const kept = keptIndexes(listings.map(({ order }) => order));
  const changes = [];
  let [index, last] = [0, -1];
  for (const end of [...kept, listings.length]) {
    const count = end - index;
    const limit = listings[end]?.order ?? Math.min(last + STEP * (count + 1), LARGEST + 1);
    const step = Math.floor((limit - last) / (count + 1));
    for (; index < end; index++) changes.push({ id: listings[index].id, order: (last += step) });
    last = listings[index++]?.order;
  }
  return changes.reverse();
}

/**
 * The indexes of the most listings that can keep their `order`, because between two of them there are enough numbers for
 * the listings in between: the longest subsequence in which `order - index` does not fall.
 */
function keptIndexes(orders) {
  /** For each length, the index at which the subsequence with the lowest end ends; for each index, the one before it. */
  const ends = [];
  const before = [];
  const room = orders.map((order, index) => order - index);
  for (const [index, order] of orders.entries()) {
    const isLast = LARGEST - order < orders.length - 1 - index;
    if (!Number.isSafeInteger(order) || room[index] < 0 || isLast) continue;
    const found = ends.findIndex((end) => room[end] > room[index]);
    const length = found < 0 ? ends.length : found;
    before[index] = ends[length - 1];
    ends[length] = index;
  }
  const kept = [];
  for (let index = ends.at(-1); index !== undefined; index = before[index]) kept.push(index);
  return kept.reverse();
}
