import fc from 'fast-check';
import { many, mostly, storing } from '../arbitraries.ts';
import { shownAll } from '../pages.ts';
import { ok, type Entry } from '../rules.ts';
import { isMap, type Data } from '../values.ts';

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
  has: ({ userType, artistInfo }: Data) =>
    userType === 'artist' && isMap(artistInfo) && artistInfo.isVerified === true,
  without: ['clientInfo', 'studioInfo', 'newNotificationsCount'],
};
const artist = storing('users', {
  userType: mostly(['artist']),
  'artistInfo.isVerified': mostly([true, true, true, false]),
});

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
  stored: many('users/~u', 3, artist),
  send: fc.constant({}),
};

/** A user's settings, with defaults at every level. */
function preferencesOf(chosen: unknown, defaults: Data = DEFAULTS): Data {
  const known = isMap(chosen) ? chosen : {};
  const members = Object.entries(defaults).map(([name, value]) => [
    name,
    isMap(value) ? preferencesOf(known[name], value) : (known[name] ?? value),
  ]);
  return Object.fromEntries(members) as Data;
}
