import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { containsDocument } from '@tattoo-marketplace/collections';
import type { DocumentData } from '@tattoo-marketplace/firestore-embedded';
import { demoAccounts, featuredAccounts } from './accounts.ts';
import { readDemoDocuments } from './documents.ts';
import type { Account, DemoAccount, DemoPageData } from './pageData.ts';

/**
 * Writes the data that the demo's pages load: `/demo/local.json`. Deploys do not include the demo, so the demo
 * passwords are never published.
 */
export async function writeDemoPageData(
  hostingFolder: string,
  authEmulator: string,
): Promise<void> {
  const data: DemoPageData = { authEmulator, ...createPageData() };
  await writeFile(join(hostingFolder, 'demo/local.json'), JSON.stringify(data));
}

/** Lists the accounts to choose from, with their documents that the API has no list for, and the names of all users. */
function createPageData(): Omit<DemoPageData, 'authEmulator'> {
  const names = Object.fromEntries(demoAccounts.map(({ uid, displayName }) => [uid, displayName]));
  const documents = readDemoDocuments();

  /** Adds the documents that belong to an account. */
  function addOwnedData(account: DemoAccount): Account {
    const { uid } = account;
    /** Finds the documents of a collection with the account's id in a field. */
    const findOwn = (collection: string, field: string) =>
      documents
        .filter(
          ([path, data]) =>
            containsDocument({ path: collection }, path) && isOrContains(data[field], uid),
        )
        .map(([path, data]): DocumentData => ({ id: path.slice(collection.length + 1), ...data }));
    const conversations = findOwn('conversations', 'participantIds').map(
      ({ id, participantIds }) => {
        const otherParticipants = (participantIds as readonly string[]).filter(
          (participant) => participant !== uid,
        );
        return {
          id,
          title: otherParticipants.map((participant) => names[participant]).join(' and '),
        };
      },
    );
    const [schedule] = findOwn('availability', 'artistId');
    const events = findOwn('unavailableEvents', 'artistId');
    const bookings = findOwn('bookings', 'artistId');
    const ownedData = { conversations, schedule, events, bookings };
    return {
      ...account,
      // demo.test.ts checks that the demo data has these fields.
      ...(ownedData as unknown as Pick<Account, keyof typeof ownedData>),
    };
  }

  return { accounts: featuredAccounts.map(addOwnedData), names };
}

/** Returns whether a field is this id, or a list that contains it. */
function isOrContains(field: unknown, id: string): boolean {
  return field === id || (Array.isArray(field) && field.includes(id));
}
