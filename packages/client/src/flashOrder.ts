import type { Input } from './types.ts';

/** A listing, or its part that its place depends on. */
interface OrderedListing {
  readonly id: string;
  readonly order?: number | undefined;
}

/**
 * Computes what to send to `flash.reorder` after a listing was moved to this index of an artist's entire list: one number
 * between those of its new neighbors. If there is no such number, all listings get a new one. Returns no update if the listing
 * is not in the list, or already there.
 */
export function computeFlashUpdates(
  listings: readonly OrderedListing[],
  id: string,
  index: number,
): Input<'flashReorder'>['flashUpdates'] {
  const listing = listings.find((candidate) => candidate.id === id);
  if (listing === undefined || listings[index] === listing) return [];
  const moved = listings.filter((candidate) => candidate !== listing);
  moved.splice(index, 0, listing);
  // There is no number beside a missing order.
  const [before = NaN, after = NaN] = [moved[index - 1]?.order, moved[index + 1]?.order];
  const low = index > 0 ? before : after - 2;
  const high = index < moved.length - 1 ? after : before + 2;
  // The sum of two large numbers may be infinite, the sum of their halves is not.
  const order = low / 2 + high / 2;
  return low < order && order < high
    ? [{ id, order }]
    : moved.map((item, position) => ({ id: item.id, order: position }));
}

/** Returns the listings in their order after these updates. */
export function applyFlashUpdates<Listing extends OrderedListing>(
  listings: readonly Listing[],
  flashUpdates: Input<'flashReorder'>['flashUpdates'],
): Listing[] {
  const orders = new Map(flashUpdates.map(({ id, order }) => [id, order]));
  return listings
    .map((listing) => ({ ...listing, order: orders.get(listing.id) ?? listing.order ?? 0 }))
    .sort((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1));
}
