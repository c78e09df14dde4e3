import { documents, idOf, LISTED, listOf, numbered, oneOf } from '../generators.ts';
import { listOfOwner } from '../lists.ts';
import { bodyOf, ensureValid, ok, updateOwned, type EndpointModel } from '../model.ts';
import { isIdList } from '../values.ts';

const photos = documents(numbered('gallery/~g', 60), LISTED);

/** An artist's visible photos, by `order`, and how many there are in all. */
export const listByArtist = listOfOwner({
  isPublic: true,
  collection: 'gallery',
  ownerField: 'artistId',
  parameter: ['params', 'artistId'],
  where: ({ isVisible }) => isVisible === true,
  orderBy: 'order',
  itemsField: 'photos',
  limits: [50, 20],
  documents: photos,
});

/** Deletes photos, all or none. A repeated id counts once. A missing photo is 404, also for the second of two requests. */
export const removePhotos: EndpointModel = {
  apply(request) {
    const { query = {}, body } = request;
    // Some clients drop the body of a DELETE.
    const photoIds = body === undefined ? [query.photoIds].flat() : bodyOf(request).photoIds;
    ensureValid(isIdList(photoIds));
    const removals = Object.fromEntries(photoIds.map((id) => [`gallery/${id}`, null]));
    return ok({ success: true }, updateOwned(removals, request));
  },
  documents: photos,
  request: {
    query: { photoIds: oneOf('~g0', ['~g1', '~g2']) },
    body: { photoIds: listOf(idOf(photos)) },
  },
};
