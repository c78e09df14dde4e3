import fc from 'fast-check';
import { isIdList } from '../accepted.ts';
import {
  bad,
  body,
  few,
  idOf,
  isShown,
  LONG,
  numbered,
  of,
  owner,
  position,
  spoilt,
  storing,
  time,
} from '../arbitraries.ts';
import { listOfOwner } from '../pages.ts';
import { bodyOf, changedOwned, ok, valid, type Entry, type Writes } from '../rules.ts';
import { isMap, isNumber } from '../values.ts';

const listing = { artistId: owner, isVisible: isShown, order: position, updatedAt: time };
const stored = storing(numbered('flash/~f', 5), listing);
const id = idOf(stored);
const hers = { ...listing, artistId: of('~alice') };
/** What is in `secret` is never read. */
const large = {
  ...storing(numbered('flash/~l', 3), { ...hers, notes: of('x', LONG) }),
  ...storing(numbered('flash/~s', 2), { ...hers, secret: of('x', LONG) }),
};

/** An artist's visible listings, by `order`, and how many there are in all. */
export const listByArtist = listOfOwner({
  isPublic: true,
  collection: 'flash',
  owner: 'artistId',
  parameter: 'id',
  where: { isVisible: true },
  orderBy: 'order',
  hasTotal: true,
  elements: 'flash',
  limits: [50, 20],
  stored,
  apart: [large],
});

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
    const changes = flashUpdates.map(({ order }, index) => [
      `flash/${ids[index]}`,
      // -0 is 0.
      { order: Number(order) + 0, updatedAt: request.now },
    ]);
    return ok({ success: true }, changedOwned(Object.fromEntries(changes) as Writes, request));
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
      const updatedCount = new Set(flashIds).size;
      const change = { isAvailable, updatedAt: request.now };
      const changes = Object.fromEntries(flashIds.map((each) => [`flash/${each}`, change]));
      return ok({ success: true, updatedCount }, changedOwned(changes, request));
    },
    stored,
    send: body({ flashIds: few(id) }),
  };
}
