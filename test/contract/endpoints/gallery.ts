import fc from 'fast-check';
import { isIdList } from '../accepted.ts';
import {
  body,
  few,
  idOf,
  isShown,
  numbered,
  of,
  owner,
  position,
  storing,
} from '../arbitraries.ts';
import { listOfOwner } from '../pages.ts';
import { bodyOf, changedOwned, ok, valid, type Entry } from '../rules.ts';

const photo = { artistId: owner, isVisible: isShown, order: position };
const stored = storing(numbered('gallery/~g', 5), photo);
/** Longer than a usual page. */
const long = storing(numbered('gallery/~g', 22), {
  ...photo,
  artistId: of('~alice'),
  isVisible: of(true),
});

/** An artist's visible photos, by `order`, and how many there are in all. */
export const listByArtist = listOfOwner({
  isPublic: true,
  collection: 'gallery',
  owner: 'artistId',
  parameter: 'artistId',
  where: { isVisible: true },
  orderBy: 'order',
  hasTotal: true,
  elements: 'photos',
  limits: [50, 20],
  stored,
  apart: [long],
});

const id = idOf(stored);

/** Deletes photos, all or none. A repeated id counts once. What is gone is 404, also for the second of two at once. */
export const removePhotos: Entry = {
  answer(request) {
    const { query: sent = {}, body: text } = request;
    // Some clients drop the body of a DELETE.
    const inQuery = 'photoIds' in sent ? [sent.photoIds].flat() : undefined;
    const photoIds = text === undefined ? inQuery : bodyOf(request).photoIds;
    valid(isIdList(photoIds));
    const removals = Object.fromEntries(photoIds.map((each) => [`gallery/${each}`, null]));
    return ok({ success: true }, changedOwned(removals, request));
  },
  stored,
  send: fc.oneof(
    { weight: 3, arbitrary: body({ photoIds: few(id) }) },
    fc.record({ query: fc.record({ photoIds: fc.constantFrom('~g0', ['~g1', '~g2']) }) }),
    fc.constant({}),
  ),
};
