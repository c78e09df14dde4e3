import { createPaths, generateDocuments, owner, pickId } from '../generators.ts';
import { createOwnedListModel } from '../lists.ts';
import {
  create,
  ensureValid,
  parseBody,
  respond,
  changeOwned,
  type EndpointModel,
} from '../endpointModel.ts';
import { isId, isWithin } from '../values.ts';

const reviews = generateDocuments(createPaths('reviews/~r', 5), {
  artistId: owner,
  clientId: owner,
});

/** Returns an artist's reviews, newest first, and their total. */
export const listByArtist = createOwnedListModel({
  isPublic: true,
  collection: 'reviews',
  ownerField: 'artistId',
  ownerParameter: { in: 'params', name: 'artistId' },
  orderBy: 'createdAt',
  descending: true,
  itemsField: 'reviews',
  maxLimit: 50,
  defaultLimit: 20,
  documents: reviews,
});

/** Creates a review by the caller. */
export const createReview: EndpointModel = {
  apply(request) {
    const { artistId, rating } = parseBody(request);
    ensureValid(isId(artistId) && isWithin(rating, 1, 5));
    const { newId: id, callerId: clientId } = request;
    const fields = { artistId, clientId, rating, createdAt: Date.now() };
    return respond({ id }, create('reviews', fields, request));
  },
  documents: reviews,
  request: { body: { artistId: owner } },
};

/** Removes a review of the caller. */
export const removeReview: EndpointModel = {
  apply(request) {
    const { reviewId } = parseBody(request);
    ensureValid(isId(reviewId));
    const removal = { [`reviews/${reviewId}`]: null };
    return respond({ success: true }, changeOwned(removal, request, 'clientId'));
  },
  documents: reviews,
  request: { body: { reviewId: pickId(reviews) } },
};
