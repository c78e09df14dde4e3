import { join } from 'node:path';
import { replaceFile } from '../hosting/replaceFile.ts';
import { demoAccounts, featuredAccounts, type DemoAccount } from './accounts.ts';
import { demoDocuments } from './documents.ts';

/**
 * Writes the demo accounts for the pages into `public/demo`. Git and deploys exclude the file (firebase.json), so the
 * demo passwords are never published.
 */
export async function serveAccounts(root: string): Promise<void> {
  const text = `${JSON.stringify(accountsForPages(), null, 2)}\n`;
  await replaceFile(join(root, 'public/demo/local.json'), text);
}

/** The accounts to choose from with data for which the API has no list, and the names of all users. */
export function accountsForPages() {
  const names = Object.fromEntries(demoAccounts.map(({ uid, displayName }) => [uid, displayName]));
  const documents = demoDocuments();

  function withPossessions(account: DemoAccount) {
    const schedule = documents.find(
      ({ path, data }) => path.startsWith('availability/') && data.artistId === account.uid,
    );
    const conversations = documents.flatMap(({ path, data }) => {
      const participants = data.participantIds as readonly string[] | undefined;
      if (participants?.includes(account.uid) !== true) return [];
      const others = participants.filter((id) => id !== account.uid).map((id) => names[id]);
      return [{ id: path.slice('conversations/'.length), title: others.join(' and ') }];
    });
    return { ...account, conversations, ...(schedule && { schedule: schedule.data }) };
  }

  return { accounts: featuredAccounts.map(withPossessions), names };
}
