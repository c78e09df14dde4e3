import fc from 'fast-check';
import { isId, isIdList } from '../accepted.ts';
import {
  body,
  few,
  idOf,
  isShown,
  listed,
  many,
  of,
  owner,
  paging,
  position,
  storing,
} from '../arbitraries.ts';
import { countedPageOf, requestedPage } from '../pages.ts';
import { bodyOf, ok, owned, valid, withWrites, type Entry } from '../rules.ts';
import type { Data } from '../values.ts';

const photo = { artistId: owner, isVisible: isShown, order: position };
const stored = many('gallery/~g', 5, storing('gallery', photo));
const query = paging('~g');
const send = fc.record({ params: fc.record({ artistId: listed }), query });

/** An artist's visible photos, by `order`, and how many there are in all. */
export const listByArtist: Entry = {
  isPublic: true,
  isRead: true,
  answer(request) {
    const page = requestedPage(request, 50, 20);
    const artistId = request.params?.artistId;
    valid(isId(artistId));
    const isOf = (data: Data) => data.artistId === artistId;
    const has = (data: Data) => isOf(data) && data.isVisible === true;
    const list = { collection: 'gallery', isOf, has, orderBy: 'order' };
    const { elements: photos, ...end } = countedPageOf(list, page, request);
    return ok({ photos, ...end }, request.documents);
  },
  stored,
  send,
  apart: [
    // Longer than a usual page.
    {
      stored: many(
        'gallery/~g',
        22,
        storing('gallery', { ...photo, artistId: of('~alice'), isVisible: of(true) }),
      ),
      send,
    },
  ],
};

const id = idOf('~g', 5);

/** Deletes photos, all or none. A repeated id counts once. What is gone is 404, also for the second of two at once. */
export const removePhotos: Entry = {
  answer(request) {
    const { query: sent = {}, body: text, documents } = request;
    // Some clients drop the body of a DELETE.
    const inQuery = 'photoIds' in sent ? [sent.photoIds].flat() : undefined;
    const photoIds = text === undefined ? inQuery : bodyOf(request).photoIds;
    valid(isIdList(photoIds));
    const paths = photoIds.map((each) => `gallery/${each}`);
    owned(paths, request);
    const removed = Object.fromEntries(paths.map((path) => [path, null]));
    return ok({ success: true }, withWrites(documents, removed));
  },
  stored,
  send: fc.oneof(
    { weight: 3, arbitrary: body({ photoIds: few(id) }) },
    fc.record({ query: fc.record({ photoIds: fc.constantFrom('~g0', ['~g1', '~g2']) }) }),
    fc.constant({}),
  ),
};
