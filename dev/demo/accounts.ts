import { demoDocuments } from './documents.ts';

/** A demo account; its uid is the id of its user document. */
export interface DemoAccount {
  readonly uid: string;
  readonly email: string;
  readonly password: string;
  readonly displayName: string;
  /** The role, and the interesting data of the account. */
  readonly note: string;
}

/** The accounts to sign in with first. */
const FEATURED: Readonly<Record<string, string>> = {
  'artist-mara-voss': 'artist: 120 flash listings, a conversation of 144 messages',
  'artist-jun-takahashi': 'artist: 19 flash listings, bookings of several sessions',
  'artist-petra-novak': 'artist: not verified, 7 flash listings, not in the artist list',
  'client-robin-adeyemi': 'client: talks to Mara and Jun',
  'studio-alder-street-tattoo': 'studio: takes part in a conversation of three',
};

interface User {
  readonly email: string;
  readonly displayName: string;
  readonly userType: string;
}

/** An account for every demo user. */
export const demoAccounts: readonly DemoAccount[] = demoDocuments().flatMap(({ path, data }) => {
  const [collection, uid = ''] = path.split('/');
  if (collection !== 'users') return [];
  const { email, displayName, userType } = data as Readonly<Record<string, unknown>> & User;
  const note = FEATURED[uid] ?? userType;
  return [{ uid, email, password: 'demo-password', displayName, note }];
});

/** The account of a demo user. */
export function demoAccount(uid: string): DemoAccount {
  const found = demoAccounts.find((one) => one.uid === uid);
  if (found === undefined) throw new Error(`The demo has no account ${uid}.`);
  return found;
}

/** The accounts to sign in with first. */
export const featuredAccounts: readonly DemoAccount[] = Object.keys(FEATURED).map(demoAccount);
