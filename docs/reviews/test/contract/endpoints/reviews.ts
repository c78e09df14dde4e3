import { isId, isWhole } from '../accepted.ts';
import { body, idOf, numbered, of, owner, storing, time } from '../arbitraries.ts';
import { listOfOwner } from '../pages.ts';
import { bodyOf, changedOwned, created, ok, valid, type Entry } from '../rules.ts';

const stored = storing(numbered('reviews/~r', 5), {
  artistId: owner,
  clientId: owner,
  createdAt: time,
});

/** An artist's reviews, newest first. */
export const listByArtist = listOfOwner({
  isPublic: true,
  collection: 'reviews',
  owner: 'artistId',
  parameter: 'artistId',
  orderBy: 'createdAt',
  isDescending: true,
  hasTotal: true,
  elements: 'reviews',
  limits: [50, 20],
  stored,
});

const isRating = (rating: unknown) => isWhole(rating) && rating >= 1 && rating <= 5;
const rating = of(1, 2, 5, 6);

/** Creates a review by the caller. */
export const createReview: Entry = {
  creates: 'id',
  answer(request) {
    const { artistId, rating } = bodyOf(request);
    valid(isId(artistId) && isRating(rating));
    const { id, now } = request;
    const fields = { artistId, rating, createdAt: now };
    return ok({ id }, created('reviews', fields, request, 'clientId'));
  },
  stored,
  send: body({ artistId: owner, rating }),
};

/** Removes a review of the caller. */
export const removeReview: Entry = {
  answer(request) {
    const { reviewId } = bodyOf(request);
    valid(isId(reviewId));
    const removal = { [`reviews/${reviewId}`]: null };
    return ok({ success: true }, changedOwned(removal, request, 'clientId'));
  },
  stored,
  send: body({ reviewId: idOf(stored) }),
};
