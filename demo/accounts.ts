import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DocumentData } from '@tattoo-marketplace/firestore-embedded';
import type { Account, DemoData } from './app/demoData.ts';
import { demoDocuments } from './documents.ts';

/** A demo account; its uid is the id of its user document. */
interface DemoAccount {
  readonly uid: string;
  readonly email: string;
  readonly password: string;
  readonly displayName: string;
  /** The role, and the interesting data of the account. */
  readonly note: string;
}

/** The accounts to sign in with first. */
const FEATURED: Readonly<Record<string, string>> = {
  'artist-mara-voss': 'artist: 52 flash listings, a conversation of 144 messages',
  'artist-jun-takahashi': 'artist: 12 flash listings, bookings of several sessions',
  'artist-petra-novak': 'artist: not verified, 4 flash listings, not in the artist list',
  'client-robin-adeyemi': 'client: talks to Mara and Jun',
  'studio-alder-street-tattoo': 'studio: takes part in a conversation of three',
};

/** An account for every demo user. */
export const demoAccounts: readonly DemoAccount[] = demoDocuments().flatMap(([path, data]) => {
  const [collection, uid = ''] = path.split('/');
  if (collection !== 'users') return [];
  const { email, displayName, userType } = data;
  const note = FEATURED[uid] ?? String(userType);
  const account = { uid, email: String(email), displayName: String(displayName) };
  return [{ ...account, password: 'demo-password', note }];
});

/** The account of a demo user. */
export function demoAccount(uid: string): DemoAccount {
  const found = demoAccounts.find((one) => one.uid === uid);
  if (found === undefined) throw new Error(`The demo has no account ${uid}.`);
  return found;
}

/** The accounts to sign in with first. */
export const featuredAccounts: readonly DemoAccount[] = Object.keys(FEATURED).map(demoAccount);

/**
 * Writes the demo accounts where the pages find them, `/demo/local.json`. A deploy has nothing of the demo, so the demo
 * passwords are never published.
 */
export async function serveAccounts(hostingFolder: string, authEmulator: string): Promise<void> {
  const data: DemoData = { authEmulator, ...accountsForPages() };
  await writeFile(join(hostingFolder, 'demo/local.json'), JSON.stringify(data));
}

/** The accounts to choose from with data for which the API has no list, and the names of all users. */
function accountsForPages(): Omit<DemoData, 'authEmulator'> {
  const names = Object.fromEntries(demoAccounts.map(({ uid, displayName }) => [uid, displayName]));
  const documents = demoDocuments();

  function withPossessions(account: DemoAccount): Account {
    const { uid } = account;
    /** The documents of a collection with the account's id in a field. */
    const own = (collection: string, field: string) =>
      documents
        .filter(([path, data]) => path.startsWith(`${collection}/`) && has(data[field], uid))
        .map(([path, data]): DocumentData => ({ id: path.slice(collection.length + 1), ...data }));
    const conversations = own('conversations', 'participantIds').map(({ id, participantIds }) => {
      const others = (participantIds as readonly string[]).filter((one) => one !== uid);
      return { id, title: others.map((one) => names[one]).join(' and ') };
    });
    const [schedule] = own('availability', 'artistId');
    const events = own('unavailableEvents', 'artistId');
    const bookings = own('bookings', 'artistId');
    const possessions = { conversations, schedule, events, bookings };
    return {
      ...account, // The demo data is complete: demo.test.ts.
      ...(possessions as unknown as Pick<Account, keyof typeof possessions>),
    };
  }

  return { accounts: featuredAccounts.map(withPossessions), names };
}

/** Whether a field is this id, or a list with it. */
function has(field: unknown, id: string): boolean {
  return field === id || (Array.isArray(field) && field.includes(id));
}
