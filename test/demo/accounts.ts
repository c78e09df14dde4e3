import { artistId, clientId, DEMO_ARTISTS, DEMO_CLIENTS, STUDIO_ID } from './people.ts';
import { emailOf } from './users.ts';

/** An account of the demo; its uid is the id of its user document. */
export interface DemoAccount {
  readonly uid: string;
  readonly email: string;
  readonly password: string;
  readonly displayName: string;
}

/** The password of every account of the demo. */
const PASSWORD = 'demo-password';

function account(uid: string, [first, last]: readonly [string, string]): DemoAccount {
  return {
    uid,
    email: emailOf(first, last),
    password: PASSWORD,
    displayName: `${first} ${last}`,
  };
}

/** An account for every user of the demo. */
export const demoAccounts: readonly DemoAccount[] = [
  ...DEMO_ARTISTS.map((artist) => account(artistId(artist), artist.name)),
  ...DEMO_CLIENTS.map((name) => account(clientId(name), name)),
  account(STUDIO_ID, ['Alder Street', 'Tattoo']),
];

/** The account of a user of the demo. */
export function demoAccount(uid: string): DemoAccount {
  const found = demoAccounts.find((one) => one.uid === uid);
  if (found === undefined) throw new Error(`The demo has no account ${uid}.`);
  return found;
}

const NOTES: Readonly<Record<string, string>> = {
  'artist-mara-voss': 'artist: 132 flash listings, a conversation of 144 messages',
  'artist-jun-takahashi': 'artist: bookings of several sessions',
  'artist-petra-novak': 'artist, not verified: in no list of artists',
  'client-robin-adeyemi': 'client: talks to Mara and Jun',
  [STUDIO_ID]: 'studio: takes part in a conversation of three',
};

/** The accounts that are worth signing in with first, each with what there is to see. */
export const featuredAccounts: readonly (DemoAccount & { readonly note: string })[] =
  Object.entries(NOTES).map(([uid, note]) => ({ ...demoAccount(uid), note }));
