import {
  artistId,
  clientId,
  DEMO_ARTISTS,
  DEMO_CLIENTS,
  STUDIO_ID,
  type DemoArtist,
} from './people.ts';
import { emailOf } from './users.ts';

/** An account of the demo; its uid is the id of its user document. */
export interface DemoAccount {
  readonly uid: string;
  readonly email: string;
  readonly password: string;
  readonly displayName: string;
  readonly role: 'artist' | 'client' | 'studio';
  /** What there is to see with it, after the role. */
  readonly note: string;
}

/** The password of every account of the demo. */
const PASSWORD = 'demo-password';

/** What stands out about the accounts that are worth signing in with first. */
const FEATURES: Readonly<Record<string, string>> = {
  'artist-mara-voss': 'a conversation of 144 messages',
  'artist-jun-takahashi': 'bookings of several sessions',
  'artist-petra-novak': 'in no list of artists',
  'client-robin-adeyemi': 'talks to Mara and Jun',
  [STUDIO_ID]: 'takes part in a conversation of three',
};

function account(
  role: DemoAccount['role'],
  uid: string,
  [first, last]: readonly [string, string],
  facts: readonly string[] = [],
): DemoAccount {
  const feature = FEATURES[uid];
  const shown = feature === undefined ? facts : [...facts, feature];
  return {
    uid,
    email: emailOf(first, last),
    password: PASSWORD,
    displayName: `${first} ${last}`,
    role,
    note: shown.length === 0 ? role : `${role}: ${shown.join(', ')}`,
  };
}

function artistAccount(artist: DemoArtist): DemoAccount {
  return account('artist', artistId(artist), artist.name, [
    ...(artist.isVerified ? [] : ['not verified']),
    `${artist.flash} flash listings`,
  ]);
}

/** An account for every user of the demo. */
export const demoAccounts: readonly DemoAccount[] = [
  ...DEMO_ARTISTS.map(artistAccount),
  ...DEMO_CLIENTS.map((name) => account('client', clientId(name), name)),
  account('studio', STUDIO_ID, ['Alder Street', 'Tattoo']),
];

/** The account of a user of the demo. */
export function demoAccount(uid: string): DemoAccount {
  const found = demoAccounts.find((one) => one.uid === uid);
  if (found === undefined) throw new Error(`The demo has no account ${uid}.`);
  return found;
}

/** The accounts that are worth signing in with first. */
export const featuredAccounts: readonly DemoAccount[] = Object.keys(FEATURES).map(demoAccount);
