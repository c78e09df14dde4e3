/** The security rules, tested on Google's own Firestore emulator, because the embedded one does not evaluate rules. */
import { initializeTestEnvironment, type RulesTestEnvironment } from '@firebase/rules-unit-testing';
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

/** Documents of Alice by path: one in every collection, and one in an unknown collection. */
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

const CALLERS = [
  'an anonymous user',
  'another user',
  'the artist who owns it',
  'the client in it',
] as const;

/** Operations of a client on a document and its collection. */
const ACTIONS: Readonly<Record<string, (firestore: Firestore, path: string) => Promise<unknown>>> =
  {
    get: (firestore, path) => getDoc(doc(firestore, path)),
    list: (firestore, path) => getDocs(query(collection(firestore, parentOf(path)), limit(1))),
    'list their own documents': (firestore, path) =>
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
let direct: RulesTestEnvironment;

beforeAll(async () => {
  // Each refusal would log a warning.
  setLogLevel('silent');
  [closed, open, direct] = await Promise.all([
    environment('demo-rules', readFileSync('firestore.rules', 'utf8')),
    environment('demo-rules-open', OPEN),
    environment('demo-rules-direct', readFileSync('test/data/direct.rules', 'utf8')),
  ]);
});

afterAll(() => Promise.all([closed.cleanup(), open.cleanup(), direct.cleanup()]));

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
    'another user': 'bob',
    'the artist who owns it': ALICE,
    'the client in it': 'client-carol',
  };
  const context =
    caller === 'an anonymous user'
      ? rules.unauthenticatedContext()
      : rules.authenticatedContext(uids[caller]);
  return context.firestore() as unknown as Firestore;
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

/** What a caller may do under some rules: the actions that succeed, by path. */
async function allowed(
  rules: RulesTestEnvironment,
  caller: (typeof CALLERS)[number],
): Promise<Record<string, string[]>> {
  const firestore = firestoreOf(rules, caller);
  const found: Record<string, string[]> = {};
  for (const [path, data] of Object.entries(DOCUMENTS)) {
    for (const [action, act] of Object.entries(ACTIONS)) {
      try {
        await act(firestore, path);
      } catch (error) {
        expect(error).toMatchObject({ code: 'permission-denied' });
        continue;
      }
      (found[path] ??= []).push(action);
      // Only what open rules let anybody delete must be restored.
      if (rules === open) await setDoc(doc(firestore, path), data);
    }
  }
  return found;
}

test.each(CALLERS)('firestore.rules allow %s nothing', async (caller) => {
  expect(await allowed(closed, caller)).toEqual({});
});

test('open rules allow an anonymous user everything', async () => {
  const all = Object.keys(DOCUMENTS).map((path) => [path, Object.keys(ACTIONS)]);

  expect(await allowed(open, 'an anonymous user')).toEqual(Object.fromEntries(all));
});

describe('the rules for apps that read some of it (DATA.md)', () => {
  const OWN = ['get', 'list their own documents'];
  const IN_CONVERSATION = {
    'conversations/conversation-1': ['get'],
    'conversations/conversation-1/messages/message-1': ['get', 'list', 'list their own documents'],
  };

  test.each([
    ['an anonymous user', {}],
    ['another user', {}],
    [
      'the artist who owns it',
      {
        'availability/availability-1': OWN,
        'unavailableEvents/event-1': OWN,
        'bookings/booking-1': OWN,
        ...IN_CONVERSATION,
      },
    ],
    ['the client in it', { 'bookings/booking-1': ['get'], ...IN_CONVERSATION }],
  ] as const)('allow %s what DATA.md says, and nothing else', async (caller, expected) => {
    expect(await allowed(direct, caller)).toEqual(expected);
  });

  test.each([
    ['bookings', where('clientId', '==', 'client-carol')],
    ['conversations', where('participantIds', 'array-contains', 'client-carol')],
  ])('allow a client the query for their own %s', async (name, own) => {
    const found = await getDocs(
      query(collection(firestoreOf(direct, 'the client in it'), name), own),
    );

    expect(found.size).toBe(1);
  });
});
