import fc from 'fast-check';
import { createPaths, generateDocuments, ITEM_FIELDS, pickId, pickList } from '../generators.ts';
import { createOwnedListModel } from '../lists.ts';
import {
  ensureValid,
  parseBody,
  respond,
  changeOwned,
  type EndpointModel,
} from '../endpointModel.ts';
import { isIdList, isMap, isNumber } from '../values.ts';

const listings = generateDocuments(createPaths('flash/~f', 60), ITEM_FIELDS);

/** Returns an artist's visible listings, by `order`, and their total. */
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

const id = pickId(listings);
const order = fc.constantFrom(0, 1, 0.5, -1, 1e300, '#-0');

/** Sets the `order` of listings, all or none. Rejects repeated ids. */
export const reorder: EndpointModel = {
  apply(request) {
    const { flashUpdates } = parseBody(request);
    ensureValid(Array.isArray(flashUpdates) && flashUpdates.every(isMap));
    const ids = flashUpdates.map((update) => update.id);
    ensureValid(isIdList(ids) && new Set(ids).size === ids.length);
    // "`order`".
    ensureValid(flashUpdates.every(({ order }) => isNumber(order)));
    const changes = flashUpdates.map(({ id, order }) => {
      return [`flash/${String(id)}`, { order, updatedAt: Date.now() }] as const;
    });
    return respond({ success: true }, changeOwned(Object.fromEntries(changes), request));
  },
  documents: listings,
  request: { body: { flashUpdates: pickList(fc.record({ id, order })) } },
};

export const markAsAvailable = createMarkModel({ isAvailable: true });
export const markAsUnavailable = createMarkModel({ isAvailable: false });

/** Creates the model of an endpoint that makes listings available or unavailable, all or none. A repeated id counts once. */
function createMarkModel(mark: { readonly isAvailable: boolean }): EndpointModel {
  return {
    apply(request) {
      const { flashIds } = parseBody(request);
      ensureValid(isIdList(flashIds));
      const change = { ...mark, updatedAt: Date.now() };
      const changes = Object.fromEntries(flashIds.map((id) => [`flash/${id}`, change]));
      // "`updatedCount`".
      const updatedCount = new Set(flashIds).size;
      return respond({ success: true, updatedCount }, changeOwned(changes, request));
    },
    documents: listings,
    request: { body: { flashIds: pickList(id) } },
  };
}
