import fc from 'fast-check';
import { documents, idOf, LISTED, listOf, numbered, oneOf } from '../generators.ts';
import { listOfOwner } from '../lists.ts';
import { bodyOf, ensureValid, ok, updateOwned, type EndpointModel } from '../model.ts';
import { isIdList, isMap, isNumber } from '../values.ts';

const listings = documents(numbered('flash/~f', 60), LISTED);
const id = idOf(listings);

/** An artist's visible listings, by `order`, and how many there are in all. */
export const listByArtist = listOfOwner({
  isPublic: true,
  collection: 'flash',
  ownerField: 'artistId',
  parameter: ['params', 'id'],
  where: ({ isVisible }) => isVisible === true,
  orderBy: 'order',
  itemsField: 'flash',
  limits: [50, 20],
  documents: listings,
});

/** Sets the `order` of listings, all or none. No listing may be named twice. */
export const reorder: EndpointModel = {
  apply(request) {
    const { flashUpdates } = bodyOf(request);
    ensureValid(Array.isArray(flashUpdates) && flashUpdates.every(isMap));
    const ids = flashUpdates.map((update) => update.id);
    ensureValid(isIdList(ids) && new Set(ids).size === ids.length);
    // "`order`".
    ensureValid(flashUpdates.every(({ order }) => isNumber(order)));
    const orders = flashUpdates.map(({ order }) => ({ order, updatedAt: Date.now() }));
    const changes = ids.map((each, at) => [`flash/${String(each)}`, orders[at] ?? null] as const);
    return ok({ success: true }, updateOwned(Object.fromEntries(changes), request));
  },
  documents: listings,
  request: {
    body: { flashUpdates: listOf(fc.record({ id, order: oneOf(0, 1, 0.5, -1, 1e300, '#-0') })) },
  },
};

export const markAsAvailable = marking(true);
export const markAsUnavailable = marking(false);

/** Makes listings available or unavailable, all or none, whatever they were. A repeated id counts once. */
function marking(isAvailable: boolean): EndpointModel {
  return {
    apply(request) {
      const { flashIds } = bodyOf(request);
      ensureValid(isIdList(flashIds));
      const change = { isAvailable, updatedAt: Date.now() };
      const changes = Object.fromEntries(flashIds.map((each) => [`flash/${each}`, change]));
      // "`updatedCount`".
      const updatedCount = new Set(flashIds).size;
      return ok({ success: true, updatedCount }, updateOwned(changes, request));
    },
    documents: listings,
    request: { body: { flashIds: listOf(id) } },
  };
}
