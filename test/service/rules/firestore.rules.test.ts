/** The security rules on Google's own Firestore emulator: the embedded one evaluates none. */
import {
  assertFails,
  assertSucceeds,
  initializeTestEnvironment,
  type RulesTestEnvironment,
} from '@firebase/rules-unit-testing';
import { readFileSync } from 'node:fs';
import {
  addDoc,
  collection,
  collectionGroup,
  deleteDoc,
  doc,
  getDoc,
  getDocs,
  limit,
  query,
  setDoc,
  setLogLevel,
  updateDoc,
  where,
  type Firestore,
} from 'firebase/firestore';
import {
  storedArtist,
  storedAvailability,
  storedBooking,
  storedEvent,
  storedListing,
  storedMessage,
  storedPhoto,
} from '../../support/factories.ts';

const ALICE = 'artist-alice';
const OPEN = `service cloud.firestore { match /databases/{d}/documents { match /{all=**} { allow read, write: if true; } } }`;

/** Documents that are all Alice's own, by their paths: one in every collection, and in one that the service has not. */
const DOCUMENTS: Readonly<Record<string, Record<string, unknown>>> = {
  [`users/${ALICE}`]: storedArtist(),
  'flash/flash-1': storedListing({ artistId: ALICE }),
  'gallery/photo-1': storedPhoto({ artistId: ALICE }),
  'availability/availability-1': storedAvailability({ artistId: ALICE }),
  'unavailableEvents/event-1': storedEvent({ artistId: ALICE }),
  'bookings/booking-1': storedBooking({ artistId: ALICE }),
  'conversations/conversation-1': { participantIds: [ALICE, 'client-carol'] },
  'conversations/conversation-1/messages/message-1': storedMessage({ senderId: ALICE }),
  'unknown/thing-1': { artistId: ALICE, ownerId: ALICE, isPublic: true },
};

const CALLERS = ['nobody', 'somebody else', 'the artist who owns it', 'the client of it'] as const;

/** What a client can do to a document, and with its collection. */
const ACTIONS: Readonly<Record<string, (firestore: Firestore, path: string) => Promise<unknown>>> =
  {
    get: (firestore, path) => getDoc(doc(firestore, path)),
    list: (firestore, path) => getDocs(query(collection(firestore, parentOf(path)), limit(1))),
    'list what is their own': (firestore, path) =>
      getDocs(query(collection(firestore, parentOf(path)), where('artistId', '==', ALICE))),
    'list the collection group': (firestore, path) =>
      getDocs(query(collectionGroup(firestore, path.split('/').at(-2) ?? ''), limit(1))),
    create: (firestore, path) => addDoc(collection(firestore, parentOf(path)), { artistId: ALICE }),
    update: (firestore, path) => updateDoc(doc(firestore, path), { artistId: ALICE }),
    replace: (firestore, path) => setDoc(doc(firestore, path), { artistId: ALICE }),
    delete: (firestore, path) => deleteDoc(doc(firestore, path)),
  };

let closed: RulesTestEnvironment;
let open: RulesTestEnvironment;

beforeAll(async () => {
  // Each refusal would be a warning.
  setLogLevel('silent');
  [closed, open] = await Promise.all([
    environment('demo-rules', readFileSync('firestore.rules', 'utf8')),
    environment('demo-rules-open', OPEN),
  ]);
});

afterAll(() => Promise.all([closed.cleanup(), open.cleanup()]));

async function environment(projectId: string, rules: string): Promise<RulesTestEnvironment> {
  const [host = '', port = ''] = (process.env.FIRESTORE_EMULATOR_HOST ?? '').split(':');
  const made = await initializeTestEnvironment({
    projectId,
    firestore: { host, port: Number(port), rules },
  });
  await made.withSecurityRulesDisabled(async (context) => {
    const firestore = context.firestore() as unknown as Firestore;
    for (const [path, data] of Object.entries(DOCUMENTS)) await setDoc(doc(firestore, path), data);
  });
  return made;
}

function firestoreOf(rules: RulesTestEnvironment, caller: (typeof CALLERS)[number]): Firestore {
  const uids = {
    'somebody else': 'bob',
    'the artist who owns it': ALICE,
    'the client of it': 'client-carol',
  };
  const context =
    caller === 'nobody' ? rules.unauthenticatedContext() : rules.authenticatedContext(uids[caller]);
  return context.firestore() as unknown as Firestore;
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

describe.each(Object.keys(DOCUMENTS))('%s', (path) => {
  describe.each(CALLERS)('is closed to %s', (caller) => {
    test.each(Object.entries(ACTIONS))('who would %s', async (_action, act) => {
      const refusal: unknown = await assertFails(act(firestoreOf(closed, caller), path));

      expect(refusal).toMatchObject({ code: 'permission-denied' });
    });
  });
});

test('would be found open if the rules were', async () => {
  for (const path of Object.keys(DOCUMENTS)) {
    for (const act of Object.values(ACTIONS)) {
      await assertSucceeds(act(firestoreOf(open, 'nobody'), path));
      // What the last action has deleted.
      await assertSucceeds(setDoc(doc(firestoreOf(open, 'nobody'), path), {}));
    }
  }
  expect(Object.keys(DOCUMENTS)).toHaveLength(9);
});
