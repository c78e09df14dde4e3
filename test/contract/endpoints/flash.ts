import fc from 'fast-check';
import {
  createPaths,
  generateDocuments,
  ITEM_FIELDS,
  pick,
  pickId,
  pickList,
} from '../generators.ts';
import { createOwnedListModel } from '../lists.ts';
import { ensureValid, parseBody, respond, updateOwned, type EndpointModel } from '../model.ts';
import { isIdList, isMap, isNumber } from '../values.ts';

const listings = generateDocuments(createPaths('flash/~f', 60), ITEM_FIELDS);
const id = pickId(listings);

/** An artist's visible listings, by `order`, and how many there are in all. */
export const listByArtist = createOwnedListModel({
  isPublic: true,
  collection: 'flash',
  ownerField: 'artistId',
  ownerParameter: { in: 'params', name: 'id' },
  where: ({ isVisible }) => isVisible === true,
  orderBy: 'order',
  itemsField: 'flash',
  maxLimit: 50,
  defaultLimit: 20,
  documents: listings,
});

/** Sets the `order` of listings, all or none. No listing may be named twice. */
export const reorder: EndpointModel = {
  apply(request) {
    const { flashUpdates } = parseBody(request);
    ensureValid(Array.isArray(flashUpdates) && flashUpdates.every(isMap));
    const ids = flashUpdates.map((update) => update.id);
    ensureValid(isIdList(ids) && new Set(ids).size === ids.length);
    // "`order`".
    ensureValid(flashUpdates.every(({ order }) => isNumber(order)));
    const orders = flashUpdates.map(({ order }) => ({ order, updatedAt: Date.now() }));
    const changes = ids.map((each, at) => [`flash/${String(each)}`, orders[at] ?? null] as const);
    return respond({ success: true }, updateOwned(Object.fromEntries(changes), request));
  },
  documents: listings,
  request: {
    body: { flashUpdates: pickList(fc.record({ id, order: pick(0, 1, 0.5, -1, 1e300, '#-0') })) },
  },
};

export const markAsAvailable = createMarkModel(true);
export const markAsUnavailable = createMarkModel(false);

/** Makes listings available or unavailable, all or none, whatever they were. A repeated id counts once. */
function createMarkModel(isAvailable: boolean): EndpointModel {
  return {
    apply(request) {
      const { flashIds } = parseBody(request);
      ensureValid(isIdList(flashIds));
      const change = { isAvailable, updatedAt: Date.now() };
      const changes = Object.fromEntries(flashIds.map((each) => [`flash/${each}`, change]));
      // "`updatedCount`".
      const updatedCount = new Set(flashIds).size;
      return respond({ success: true, updatedCount }, updateOwned(changes, request));
    },
    documents: listings,
    request: { body: { flashIds: pickList(id) } },
  };
}
