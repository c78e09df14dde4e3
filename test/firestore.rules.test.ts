/** The security rules, tested on Google's own Firestore emulator, because the embedded one does not evaluate rules. */
import { initializeTestEnvironment, type RulesTestContext } from '@firebase/rules-unit-testing';
import { setLogLevel, type FirestoreError } from 'firebase/firestore';
import { readFileSync } from 'node:fs';

const ARTIST = 'artist-alice';
const CLIENT = 'client-carol';
const NOBODY = 'an anonymous user';

/** Every document has this, so that nothing but its path decides. */
const DATA = {
  isPublic: true,
  artistId: ARTIST,
  clientId: CLIENT,
  participantIds: [ARTIST, CLIENT],
};
/** One document in every collection, and one in an unknown collection. */
const PATHS = [
  `users/${ARTIST}`,
  'flash/a',
  'gallery/a',
  'availability/a',
  'unavailableEvents/a',
  'bookings/a',
  'conversations/a',
  'conversations/a/messages/a',
  'unknown/a',
];

type Firestore = ReturnType<RulesTestContext['firestore']>;

/** Operations of a client on a document and its collection. */
const ACTIONS: Readonly<Record<string, (firestore: Firestore, path: string) => Promise<unknown>>> =
  {
    get: (firestore, path) => firestore.doc(path).get(),
    list: (firestore, path) => firestore.collection(parentOf(path)).limit(1).get(),
    'list own': (firestore, path) =>
      firestore.collection(parentOf(path)).where('artistId', '==', ARTIST).get(),
    'list all': (firestore, path) => firestore.collectionGroup(path.split('/').at(-2) ?? '').get(),
    create: (firestore, path) => firestore.collection(parentOf(path)).add(DATA),
    replace: (firestore, path) => firestore.doc(path).set(DATA),
    delete: (firestore, path) => firestore.doc(path).delete(),
  };

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

/** False for an action that the rules deny; other errors fail the test. */
function orDenied(error: unknown): false {
  if ((error as FirestoreError).code === 'permission-denied') return false;
  throw error;
}

// Each refusal would log a warning.
setLogLevel('silent');

/** Runs work as a client of a Firestore with these rules and documents. */
async function asClient<Result>(
  rules: string,
  uid: string,
  work: (firestore: Firestore) => Promise<Result>,
): Promise<Result> {
  const [host = '', port = ''] = (process.env.FIRESTORE_EMULATOR_HOST ?? '').split(':');
  const firestore = { host, port: Number(port), rules: readFileSync(rules, 'utf8') };
  const environment = await initializeTestEnvironment({ projectId: 'demo-rules', firestore });
  await environment.withSecurityRulesDisabled(async (context) => {
    for (const path of PATHS) await context.firestore().doc(path).set(DATA);
  });
  const context =
    uid === NOBODY ? environment.unauthenticatedContext() : environment.authenticatedContext(uid);
  return work(context.firestore()).finally(() => environment.cleanup());
}

const CLOSED = 'firestore.rules';
const DIRECT = 'tools/data/direct.rules';
const CONVERSATION = {
  'conversations/a': ['get'],
  'conversations/a/messages/a': ['get', 'list', 'list own'],
};

/** The actions that some rules allow a user, by path. */
type Row = readonly [rules: string, uid: string, allowed: Readonly<Record<string, string[]>>];

test.each<Row>([
  ...[NOBODY, 'bob', ARTIST, CLIENT].map((uid): Row => [CLOSED, uid, {}]),
  [DIRECT, NOBODY, {}],
  [DIRECT, 'bob', {}],
  [
    DIRECT,
    ARTIST,
    {
      'availability/a': ['get', 'list own'],
      'unavailableEvents/a': ['get', 'list own'],
      'bookings/a': ['get', 'list own'],
      ...CONVERSATION,
    },
  ],
  [DIRECT, CLIENT, { 'bookings/a': ['get'], ...CONVERSATION }],
])('%s allow %s what docs/data.md says, and nothing else', async (rules, uid, expected) => {
  const found: Record<string, string[]> = {};
  await asClient(rules, uid, async (firestore) => {
    for (const path of PATHS) {
      for (const [action, act] of Object.entries(ACTIONS)) {
        const isAllowed = await act(firestore, path).then(() => true, orDenied);
        if (isAllowed) (found[path] ??= []).push(action);
      }
    }
  });

  expect(found).toEqual(expected);
});

test.each([
  ['bookings', 'clientId', '=='],
  ['conversations', 'participantIds', 'array-contains'],
] as const)(
  'direct.rules allow a client the query for their own %s',
  async (name, field, operator) => {
    const query = (firestore: Firestore) =>
      firestore.collection(name).where(field, operator, CLIENT).get();

    expect((await asClient(DIRECT, CLIENT, query)).size).toBe(1);
  },
);
