import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { startEmbeddedFirestore, EmulatorClient } from '@tattoo-marketplace/firestore-embedded';

const PROJECT = 'demo-delete-account';

test('delete:account deletes what the user owns alone, and with --dry-run nothing', async () => {
  const embedded = await startEmbeddedFirestore();
  try {
    const store = new EmulatorClient(embedded.address, PROJECT);
    const kept = {
      'users/bob': { userType: 'artist' },
      'flash/other': { artistId: 'bob' },
      'bookings/1': { artistId: 'alice', clientId: 'bob', sessions: [] },
      'bookings/2': { artistId: 'bob', clientId: 'alice', sessions: [] },
      'conversations/1': { participantIds: ['alice', 'bob'] },
      'conversations/1/messages/1': { senderId: 'alice' },
    };
    const listings = Array.from({ length: 101 }, (_, id) => [`flash/${id}`, { artistId: 'alice' }]);
    const owned = {
      'users/alice': { userType: 'artist' },
      'gallery/1': { artistId: 'alice', sourceData: { storageRef: 'photos/1.jpg' } },
      'availability/1': { artistId: 'alice' },
      'unavailableEvents/1': { artistId: 'alice' },
      ...(Object.fromEntries(listings) as object),
    };
    const all = { ...kept, ...owned };
    await store.setAll(Object.entries(all));
    const run = async (...args: readonly string[]) => {
      const script = ['tools/data/deleteAccount.ts', '--project', PROJECT, '--uid', 'alice'];
      const env = { ...process.env, FIRESTORE_EMULATOR_HOST: embedded.address };
      const { stdout } = await promisify(execFile)(process.execPath, [...script, ...args], { env });
      return stdout;
    };

    const dryRun = await run('--dry-run');
    const afterDryRun = await store.getAllDocuments();
    const output = await run();

    expect(dryRun).toBe(output.replaceAll('deleted ', 'would delete '));
    expect(afterDryRun).toEqual(all);
    expect(output).toContain('deleted gallery/1\n  delete its file: photos/1.jpg\n');
    expect(output).toContain('kept 1 documents of bookings with this clientId\n');
    expect(await store.getAllDocuments()).toEqual(kept);
    expect(await run()).not.toContain('deleted ');
  } finally {
    await embedded.stop();
  }
});
