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
import { isIdList } from '../values.ts';

const photos = generateDocuments(createPaths('gallery/~g', 60), ITEM_FIELDS);

/** Returns an artist's visible photos, by `order`, and their total. */
export const listByArtist = createOwnedListModel({
  isPublic: true,
  collection: 'gallery',
  ownerField: 'artistId',
  ownerParameter: { in: 'params', name: 'artistId' },
  where: ({ isVisible }) => isVisible === true,
  orderBy: 'order',
  itemsField: 'photos',
  maxLimit: 50,
  defaultLimit: 20,
  documents: photos,
});

/** Deletes photos, all or none. A repeated id counts once. A second request gets 404, as the photos are missing. */
export const removePhotos: EndpointModel = {
  apply(request) {
    const { query = {}, body } = request;
    // Some clients drop the body of a DELETE.
    const photoIds = body === undefined ? [query.photoIds].flat() : parseBody(request).photoIds;
    ensureValid(isIdList(photoIds));
    const removals = Object.fromEntries(photoIds.map((id) => [`gallery/${id}`, null]));
    return respond({ success: true }, changeOwned(removals, request));
  },
  documents: photos,
  request: {
    query: { photoIds: fc.constantFrom('~g0', ['~g1', '~g2']) },
    body: { photoIds: pickList(pickId(photos)) },
  },
};
