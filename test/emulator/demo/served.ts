import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../hosting/replaceFile.ts';
import { demoAccounts, featuredAccounts, type DemoAccount } from './accounts.ts';
import { demoDocuments } from './documents.ts';
import { writePictures } from './pictures/write.ts';

/**
 * Writes the files that only a local stack serves into `public/demo`: the pictures, and the demo accounts for the
 * pages. Git and deploys exclude them (firebase.json), so the demo passwords are never published.
 */
export async function serveDemo(root: string): Promise<void> {
  const folder = join(root, 'public/demo');
  await mkdir(folder, { recursive: true });
  await Promise.all([
    writePictures(join(folder, 'pictures')),
    replaceFile(join(folder, 'local.json'), `${JSON.stringify(localFile(), null, 2)}\n`),
  ]);
}

/** The accounts to choose from with data for which the API has no list, and the names of all users. */
export function localFile() {
  const names = Object.fromEntries(demoAccounts.map(({ uid, displayName }) => [uid, displayName]));
  return { accounts: featuredAccounts.map((account) => withPossessions(account, names)), names };
}

function withPossessions(account: DemoAccount, names: Readonly<Record<string, string>>) {
  const { uid, email, password, displayName, note } = account;
  const documents = demoDocuments();
  const schedule = documents.find(
    ({ path, data }) => path.startsWith('availability/') && data.artistId === uid,
  );
  const conversations = documents.flatMap(({ path, data }) => {
    const participants = data.participantIds as readonly string[] | undefined;
    if (participants?.includes(uid) !== true) return [];
    const others = participants.filter((id) => id !== uid).map((id) => names[id]);
    return [{ id: path.slice('conversations/'.length), title: others.join(' and ') }];
  });
  return {
    ...{ uid, email, password, displayName, note, conversations },
    ...(schedule && { schedule: schedule.data }),
  };
}
