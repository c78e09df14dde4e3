import {
  artistId,
  clientId,
  DEMO_ARTISTS,
  DEMO_CLIENTS,
  STUDIO_ID,
  type DemoArtist,
} from './people.ts';
import { emailOf } from './users.ts';

/** A demo account; its uid is the id of its user document. */
export interface DemoAccount {
  readonly uid: string;
  readonly email: string;
  readonly password: string;
  readonly displayName: string;
  readonly role: 'artist' | 'client' | 'studio';
  /** The role, and the interesting data of the account. */
  readonly note: string;
}

/** The password of every demo account. */
const PASSWORD = 'demo-password';

/** The interesting data of the accounts to sign in with first. */
const FEATURES: Readonly<Record<string, string>> = {
  'artist-mara-voss': 'a conversation of 144 messages',
  'artist-jun-takahashi': 'bookings of several sessions',
  'artist-petra-novak': 'not in the artist list',
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

/** An account for every demo user. */
export const demoAccounts: readonly DemoAccount[] = [
  ...DEMO_ARTISTS.map(artistAccount),
  ...DEMO_CLIENTS.map((name) => account('client', clientId(name), name)),
  account('studio', STUDIO_ID, ['Alder Street', 'Tattoo']),
];

/** The account of a demo user. */
export function demoAccount(uid: string): DemoAccount {
  const found = demoAccounts.find((one) => one.uid === uid);
  if (found === undefined) throw new Error(`The demo has no account ${uid}.`);
  return found;
}

/** The accounts to sign in with first. */
export const featuredAccounts: readonly DemoAccount[] = Object.keys(FEATURES).map(demoAccount);
