import fc from 'fast-check';
import { mostly, numbered, storing } from '../arbitraries.ts';
import { shownAll } from '../pages.ts';
import { ok, type Entry } from '../rules.ts';
import { isMap, type DocumentData } from '../values.ts';

const BOOKINGS = { newRequests: true, bookingUpdates: true, payments: true, conversations: true };
const PROVIDER = {
  isEnabled: false,
  accountId: '',
  isChargesEnabled: false,
  isPayoutsEnabled: false,
};
const DEFAULTS = {
  notifications: { bookings: BOOKINGS, marketing: false },
  integrations: { paymentProvider: PROVIDER },
};

const verified = {
  collection: 'users',
  where: { userType: 'artist', 'artistInfo.isVerified': true },
  without: ['clientInfo', 'studioInfo', 'newNotificationsCount'],
};

/** All verified artists, by id. Of the info blocks only an artist's leaves, and the settings have defaults. */
export const list: Entry = {
  isPublic: true,
  isRead: true,
  answer({ documents }) {
    const artists = shownAll(verified, documents).map((user) => ({
      ...user,
      preferences: preferencesOf(user.preferences),
    }));
    return ok(artists, documents);
  },
  stored: storing(numbered('users/~u', 3), {
    userType: mostly(['artist']),
    'artistInfo.isVerified': mostly([true, true, true, false]),
  }),
  send: fc.constant({}),
};

/** A user's settings, with defaults at every level. */
function preferencesOf(chosen: unknown, defaults: DocumentData = DEFAULTS): DocumentData {
  const known = isMap(chosen) ? chosen : {};
  const members = Object.entries(defaults).map(([name, value]) => [
    name,
    isMap(value) ? preferencesOf(known[name], value) : (known[name] ?? value),
  ]);
  return Object.fromEntries(members) as DocumentData;
}
