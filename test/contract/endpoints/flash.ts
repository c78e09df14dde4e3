import fc from 'fast-check';
import { isId, isIdList } from '../accepted.ts';
import {
  bad,
  body,
  few,
  idOf,
  isShown,
  listed,
  LONG,
  many,
  of,
  owner,
  paging,
  position,
  spoilt,
  storing,
  time,
} from '../arbitraries.ts';
import { countedPageOf, requestedPage } from '../pages.ts';
import { bodyOf, changed, ok, owned, valid, type Entry, type Request } from '../rules.ts';
import { isMap, isNumber, type Data } from '../values.ts';

const listing = { artistId: owner, isVisible: isShown, order: position, updatedAt: time };
const stored = many('flash/~f', 5, storing('flash', listing));
const id = idOf('~f', 5);

/** An artist's visible listings, by `order`, and how many there are in all. */
export const listByArtist: Entry = {
  isPublic: true,
  isRead: true,
  answer(request) {
    const page = requestedPage(request, 50, 20);
    const artistId = request.params?.id;
    valid(isId(artistId));
    const isOf = (data: Data) => data.artistId === artistId;
    const has = (data: Data) => isOf(data) && data.isVisible === true;
    const list = { collection: 'flash', isOf, has, orderBy: 'order' };
    const { elements: flash, ...end } = countedPageOf(list, page, request);
    return ok({ flash, ...end }, request.documents);
  },
  stored,
  send: fc.record({ params: fc.record({ id: listed }), query: paging('~f') }),
  apart: [
    // Large ones. What is in `secret` is never read.
    {
      stored: many(
        'flash/~l',
        4,
        fc
          .constantFrom('notes', 'notes', 'secret')
          .chain((name) =>
            storing('flash', { ...listing, artistId: of('~alice'), [name]: of('x', LONG) }),
          ),
      ),
      send: fc.record({ params: fc.record({ id: listed }), query: paging('~l') }),
    },
  ],
};

const update = fc.record({ id, order: of(0, 1, 2, 0.5, -1, 1e300, '#-0') });
const updates = few(spoilt(update, bad));
const unique = updates.map((all) => [...new Map(all.map((each) => [each.id, each])).values()]);

/** Sets the `order` of listings, all or none. No listing may be named twice. */
export const reorder: Entry = {
  answer(request) {
    const { flashUpdates } = bodyOf(request);
    valid(Array.isArray(flashUpdates) && flashUpdates.every(isMap));
    const ids = flashUpdates.map((each) => each.id);
    valid(isIdList(ids) && new Set(ids).size === ids.length);
    // "`order`".
    valid(flashUpdates.every(({ order }) => isNumber(order)));
    // -0 is 0.
    const orders = new Map(
      ids.map((each, index) => [each, Number(flashUpdates[index]?.order) + 0]),
    );
    const documents = changedListings(request, ids, (each) => ({ order: orders.get(each) }));
    return ok({ success: true }, documents);
  },
  stored,
  send: body({ flashUpdates: fc.oneof(unique, unique, updates) }),
};

export const markAsAvailable = marking(true);
export const markAsUnavailable = marking(false);

/** Makes listings available or unavailable, all or none, whatever they were. A repeated id counts once. */
function marking(isAvailable: boolean): Entry {
  return {
    answer(request) {
      const { flashIds } = bodyOf(request);
      valid(isIdList(flashIds));
      // "`updatedCount`".
      const ids = [...new Set(flashIds)];
      const documents = changedListings(request, ids, () => ({ isAvailable }));
      return ok({ success: true, updatedCount: ids.length }, documents);
    },
    stored,
    send: body({ flashIds: few(id) }),
  };
}

/** The documents after a change of listings. */
function changedListings(request: Request, ids: readonly string[], fieldsOf: (id: string) => Data) {
  const paths = ids.map((each) => `flash/${each}`);
  owned(paths, request);
  const updatedAt = request.now;
  return ids.reduce(
    (documents, each) => changed(documents, `flash/${each}`, fieldsOf(each), { updatedAt }),
    request.documents,
  );
}
