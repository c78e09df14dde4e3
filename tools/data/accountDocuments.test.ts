import * as z from 'zod';
import { defineCollection } from '@tattoo-marketplace/collections';
import { EmulatorClient, startEmbeddedFirestore } from '@tattoo-marketplace/firestore-embedded';
import { createFirestore } from '@tattoo-marketplace/firestore-rest';
import { readAccountDocuments } from './accountDocuments.ts';

const PROJECT = 'demo-account-documents';
const person = z.string().optional().describe('A person of this test.');

const sketches = defineCollection('flash/{flashId}/sketches', {
  description: 'Sketches of an artist.',
  schema: z.object({ id: z.string(), artistId: person }),
  owner: 'artistId',
});
const consents = defineCollection('bookings/{bookingId}/consents', {
  description: 'Consents of a client to an artist.',
  schema: z.object({ id: z.string(), artistId: person, clientId: person }),
  owner: 'clientId',
});

test('the documents of a user are those below other documents too, but not those of two people', async () => {
  const embedded = await startEmbeddedFirestore();
  try {
    const alice = { artistId: 'alice', clientId: 'alice' };
    await new EmulatorClient(embedded.address, PROJECT).setAll(
      Object.entries({
        'flash/1/sketches/1': alice,
        'flash/2/sketches/2': alice,
        'flash/2/sketches/3': { artistId: 'bob' },
        'users/1/sketches/4': alice,
        'bookings/1/consents/5': alice,
      }),
    );
    const firestore = createFirestore({
      project: PROJECT,
      database: '(default)',
      emulator: embedded.address,
      tokens: { get: () => 'owner', discard: () => undefined },
    });
    const createLimits = () => ({ signal: AbortSignal.timeout(60_000), remainingMs: 60_000 });
    const paths: string[] = [];
    for (const collection of [sketches, consents]) {
      const pages = readAccountDocuments(firestore, collection, 'alice', createLimits);
      for await (const page of pages) paths.push(...page.map(({ path }) => path));
    }

    expect(paths).toEqual(['flash/1/sketches/1', 'flash/2/sketches/2']);
  } finally {
    await embedded.stop();
  }
});
