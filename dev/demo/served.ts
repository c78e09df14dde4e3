import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../root.ts';
import { demoAccounts, featuredAccounts, type DemoAccount } from './accounts.ts';
import { demoDocuments } from './documents.ts';

/**
 * Writes the demo accounts for the pages into `public/demo`. Git and deploys exclude the file (firebase.json), so the
 * demo passwords are never published.
 */
export async function serveAccounts(): Promise<void> {
  const text = `${JSON.stringify(accountsForPages(), null, 2)}\n`;
  await writeFile(join(ROOT, 'public/demo/local.json'), text);
}

/** The accounts to choose from with data for which the API has no list, and the names of all users. */
export function accountsForPages() {
  const names = Object.fromEntries(demoAccounts.map(({ uid, displayName }) => [uid, displayName]));
  const documents = demoDocuments();

  function withPossessions(account: DemoAccount) {
    const { uid } = account;
    /** The documents of a collection with the account's id in a field. */
    const own = (collection: string, field: string) =>
      documents
        .filter(({ path, data }) => path.startsWith(`${collection}/`) && has(data[field], uid))
        .map(({ path, data }) => ({ id: path.slice(collection.length + 1), ...data }));
    const conversations = own('conversations', 'participantIds').map(({ id, ...data }) => {
      const { participantIds } = data as Readonly<Record<string, unknown>>;
      const others = (participantIds as readonly string[]).filter((one) => one !== uid);
      return { id, title: others.map((one) => names[one]).join(' and ') };
    });
    const [schedule] = own('availability', 'artistId');
    const events = own('unavailableEvents', 'artistId');
    return { ...account, conversations, schedule, events, bookings: own('bookings', 'artistId') };
  }

  return { accounts: featuredAccounts.map(withPossessions), names };
}

/** Whether a field is this id, or a list with it. */
function has(field: unknown, id: string): boolean {
  return field === id || (Array.isArray(field) && field.includes(id));
}
