import { documents, idOf, numbered, owner } from '../generators.ts';
import { listOfOwner } from '../lists.ts';
import { bodyOf, create, ensureValid, ok, updateOwned, type EndpointModel } from '../model.ts';
import { isId, isWithin } from '../values.ts';

const reviews = documents(numbered('reviews/~r', 5), { artistId: owner, clientId: owner });

/** An artist's reviews, newest first. */
export const listByArtist = listOfOwner({
  isPublic: true,
  collection: 'reviews',
  ownerField: 'artistId',
  parameter: ['params', 'artistId'],
  orderBy: 'createdAt',
  descending: true,
  itemsField: 'reviews',
  limits: [50, 20],
  documents: reviews,
});

/** Creates a review by the caller. */
export const createReview: EndpointModel = {
  apply(request) {
    const { artistId, rating } = bodyOf(request);
    ensureValid(isId(artistId) && isWithin(rating, 1, 5));
    const { newId: id, caller: clientId } = request;
    const fields = { artistId, clientId, rating, createdAt: Date.now() };
    return ok({ id }, create('reviews', fields, request));
  },
  documents: reviews,
  request: { body: { artistId: owner } },
};

/** Removes a review of the caller. */
export const removeReview: EndpointModel = {
  apply(request) {
    const { reviewId } = bodyOf(request);
    ensureValid(isId(reviewId));
    const removal = { [`reviews/${reviewId}`]: null };
    return ok({ success: true }, updateOwned(removal, request, 'clientId'));
  },
  documents: reviews,
  request: { body: { reviewId: idOf(reviews) } },
};
