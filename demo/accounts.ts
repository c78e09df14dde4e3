import { containsDocument } from '@tattoo-marketplace/collections';
import type { DemoAccount } from './pageData.ts';
import { readDemoDocuments } from './documents.ts';

/** The notes of the featured accounts, which the demo lists first. */
const FEATURED: Readonly<Record<string, string>> = {
  'artist-mara-voss': 'artist: 52 flash listings, a conversation of 144 messages',
  'artist-jun-takahashi': 'artist: 12 flash listings, bookings of several sessions',
  'artist-petra-novak': 'artist: not verified, 4 flash listings, not in the artist list',
  'client-robin-adeyemi': 'client: talks to Mara and Jun',
  'studio-alder-street-tattoo': 'studio: takes part in a conversation of three',
};

/** An account for every demo user. */
export const demoAccounts: readonly DemoAccount[] = readDemoDocuments().flatMap(([path, data]) => {
  if (!containsDocument({ path: 'users' }, path)) return [];
  const uid = path.replace('users/', '');
  const { email, displayName, userType } = data;
  const note = FEATURED[uid] ?? String(userType);
  const account = { uid, email: String(email), displayName: String(displayName) };
  return [{ ...account, password: 'demo-password', note }];
});

/** Returns the account of a demo user; throws if there is none. */
export function getDemoAccount(uid: string): DemoAccount {
  const account = demoAccounts.find((candidate) => candidate.uid === uid);
  if (account === undefined) throw new Error(`The demo has no account ${uid}.`);
  return account;
}

/** The featured accounts. */
export const featuredAccounts: readonly DemoAccount[] = Object.keys(FEATURED).map(getDemoAccount);
