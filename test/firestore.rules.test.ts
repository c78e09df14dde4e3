/** The security rules, tested on Google's own Firestore emulator, because the embedded one does not evaluate rules. */
import {
  initializeTestEnvironment,
  type RulesTestContext,
  type RulesTestEnvironment,
} from '@firebase/rules-unit-testing';
import { setLogLevel } from 'firebase/firestore';
import { readFileSync } from 'node:fs';

const ALICE = 'artist-alice';
const OPEN = `service cloud.firestore { match /databases/{d}/documents { match /{all=**} { allow read, write: if true; } } }`;

/** Every document has this, so that nothing but its path decides. */
const DATA = {
  isPublic: true,
  artistId: ALICE,
  clientId: 'client-carol',
  participantIds: [ALICE, 'client-carol'],
};
/** Documents of Alice: one in every collection, and one in an unknown collection. */
const PATHS = [
  `users/${ALICE}`,
  'flash/flash-1',
  'gallery/photo-1',
  'availability/availability-1',
  'unavailableEvents/event-1',
  'bookings/booking-1',
  'conversations/conversation-1',
  'conversations/conversation-1/messages/message-1',
  'unknown/thing-1',
];

/** The callers, and their user ids. */
const CALLERS = {
  'an anonymous user': undefined,
  'another user': 'bob',
  'the artist who owns it': ALICE,
  'the client in it': 'client-carol',
} as const;
type Caller = keyof typeof CALLERS;

type Firestore = ReturnType<RulesTestContext['firestore']>;

/** Operations of a client on a document and its collection. */
const ACTIONS: Readonly<Record<string, (firestore: Firestore, path: string) => Promise<unknown>>> =
  {
    get: (firestore, path) => firestore.doc(path).get(),
    list: (firestore, path) => firestore.collection(parentOf(path)).limit(1).get(),
    'list their own documents': (firestore, path) =>
      firestore.collection(parentOf(path)).where('artistId', '==', ALICE).get(),
    'list the collection group': (firestore, path) =>
      firestore
        .collectionGroup(path.split('/').at(-2) ?? '')
        .limit(1)
        .get(),
    create: (firestore, path) => firestore.collection(parentOf(path)).add(DATA),
    update: (firestore, path) => firestore.doc(path).update(DATA),
    replace: (firestore, path) => firestore.doc(path).set(DATA),
    delete: (firestore, path) => firestore.doc(path).delete(),
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
    environment('demo-rules-direct', readFileSync('tools/data/direct.rules', 'utf8')),
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
    for (const path of PATHS) await context.firestore().doc(path).set(DATA);
  });
  return made;
}

function firestoreOf(rules: RulesTestEnvironment, caller: Caller): Firestore {
  const uid = CALLERS[caller];
  const context =
    uid === undefined ? rules.unauthenticatedContext() : rules.authenticatedContext(uid);
  return context.firestore();
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

/** What a caller may do under some rules: the actions that succeed, by path. */
async function allowed(
  rules: RulesTestEnvironment,
  caller: Caller,
): Promise<Record<string, string[]>> {
  const firestore = firestoreOf(rules, caller);
  const found: Record<string, string[]> = {};
  for (const path of PATHS) {
    for (const [action, act] of Object.entries(ACTIONS)) {
      try {
        await act(firestore, path);
      } catch (error) {
        expect(error).toMatchObject({ code: 'permission-denied' });
        continue;
      }
      (found[path] ??= []).push(action);
      // Only what open rules let anybody delete must be restored.
      if (rules === open) await firestore.doc(path).set(DATA);
    }
  }
  return found;
}

test.each(Object.keys(CALLERS) as Caller[])('firestore.rules allow %s nothing', async (caller) => {
  expect(await allowed(closed, caller)).toEqual({});
});

test('open rules allow an anonymous user everything', async () => {
  const all = PATHS.map((path) => [path, Object.keys(ACTIONS)]);

  expect(await allowed(open, 'an anonymous user')).toEqual(Object.fromEntries(all));
});

describe('the rules for apps that read some of it (docs/data.md)', () => {
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
  ] as const)('allow %s what docs/data.md says, and nothing else', async (caller, expected) => {
    expect(await allowed(direct, caller)).toEqual(expected);
  });

  test.each([
    ['bookings', ['clientId', '==', 'client-carol']],
    ['conversations', ['participantIds', 'array-contains', 'client-carol']],
  ] as const)(
    'allow a client the query for their own %s',
    async (name, [field, operator, value]) => {
      const carols = firestoreOf(direct, 'the client in it');
      const found = await carols.collection(name).where(field, operator, value).get();

      expect(found.size).toBe(1);
    },
  );
});
