import { createPaths, generateDocuments, vary } from '../generators.ts';
import { listItems, type ListModel } from '../lists.ts';
import { respond, type EndpointModel } from '../endpointModel.ts';
import { isMap, type DocumentData } from '../values.ts';

const BOOKINGS = { newRequests: true, bookingUpdates: true, payments: true, conversations: true };
const PAYMENTS = { isChargesEnabled: false, isPayoutsEnabled: false };
const DEFAULTS = {
  notifications: { bookings: BOOKINGS, marketing: false },
  integrations: { paymentProvider: { isEnabled: false, accountId: '', ...PAYMENTS } },
};

const verifiedArtists: ListModel = {
  collection: 'users',
  where: ({ userType: type, artistInfo: info }) =>
    type === 'artist' && isMap(info) && info.isVerified === true,
  omit: ['clientInfo', 'studioInfo', 'newNotificationsCount'],
};

/** Returns all verified artists, by id, without the blocks of other user types, and with defaults for settings. */
export const list: EndpointModel = {
  isPublic: true,
  apply({ state }) {
    const artists = listItems(verifiedArtists, state).map((user) => {
      return { ...user, preferences: addDefaults(user.preferences, DEFAULTS) };
    });
    return respond(artists, state);
  },
  documents: generateDocuments(createPaths('users/~u', 3), {
    userType: vary(['artist']),
    artistInfo: { isVerified: vary([true, true, true, false]) },
  }),
  request: {},
};

/** Adds defaults to a user's settings, at every level. */
function addDefaults(settings: unknown, defaults: DocumentData): DocumentData {
  const chosen = isMap(settings) ? settings : {};
  const fields = Object.entries(defaults).map(([name, value]) => {
    return [name, isMap(value) ? addDefaults(chosen[name], value) : (chosen[name] ?? value)];
  });
  return Object.fromEntries(fields) as DocumentData;
}
