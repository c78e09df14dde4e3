/** The security rules, tested on Google's own Firestore emulator, because the embedded one does not evaluate rules. */
import { readFileSync } from 'node:fs';
import { initializeTestEnvironment, type RulesTestContext } from '@firebase/rules-unit-testing';
import { setLogLevel, type FirestoreError } from 'firebase/firestore';

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
type Action = (firestore: Firestore, path: string, uid: string) => Promise<unknown>;

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/'));

/** Operations that a client may try with a document and its collection. */
const ACTIONS: Readonly<Record<string, Action>> = {
  get: (firestore, path) => firestore.doc(path).get(),
  list: (firestore, path) => firestore.collection(folderOf(path)).limit(1).get(),
  'list as artist': (firestore, path, uid) =>
    firestore.collection(folderOf(path)).where('artistId', '==', uid).get(),
  'list as client': (firestore, path, uid) =>
    firestore.collection(folderOf(path)).where('clientId', '==', uid).get(),
  'list as participant': (firestore, path, uid) =>
    firestore.collection(folderOf(path)).where('participantIds', 'array-contains', uid).get(),
  'list all': (firestore, path) => firestore.collectionGroup(path.split('/').at(-2) ?? '').get(),
  create: (firestore, path) => firestore.collection(folderOf(path)).add(DATA),
  replace: (firestore, path) => firestore.doc(path).set(DATA),
  delete: (firestore, path) => firestore.doc(path).delete(),
};

// Each rejection would log a warning.
setLogLevel('silent');

const CLOSED = 'firestore.rules';
const DIRECT = 'tools/data/clientReads.rules';
const AS_ARTIST = ['list as artist'];
const AS_PARTICIPANT = ['list as participant'];
/** Queries for one's own documents. */
const QUERIES = {
  'availability/a': AS_ARTIST,
  'unavailableEvents/a': AS_ARTIST,
  'bookings/a': ['list as artist', 'list as client'],
  'conversations/a': AS_PARTICIPANT,
};
const OF_PARTICIPANTS = {
  'bookings/a': ['get', ...QUERIES['bookings/a']],
  'conversations/a': ['get', ...AS_PARTICIPANT],
  'conversations/a/messages/a': ['get', 'list', ...AS_ARTIST, 'list as client', ...AS_PARTICIPANT],
};

/** The actions that some rules allow a user, by path. */
type Row = readonly [rules: string, uid: string, allowed: Readonly<Record<string, string[]>>];

test.each<Row>([
  ...[NOBODY, 'bob', ARTIST, CLIENT].map((uid): Row => [CLOSED, uid, {}]),
  [DIRECT, NOBODY, {}],
  [DIRECT, 'bob', QUERIES],
  [DIRECT, CLIENT, { ...QUERIES, ...OF_PARTICIPANTS }],
  [
    DIRECT,
    ARTIST,
    {
      'availability/a': ['get', ...AS_ARTIST],
      'unavailableEvents/a': ['get', ...AS_ARTIST],
      ...OF_PARTICIPANTS,
    },
  ],
])('%s allow %s what docs/data.md says, and nothing else', async (rules, uid, expected) => {
  const [host = '', port = ''] = (process.env.FIRESTORE_EMULATOR_HOST ?? '').split(':');
  const firestore = { host, port: Number(port), rules: readFileSync(rules, 'utf8') };
  const environment = await initializeTestEnvironment({ projectId: 'demo-rules', firestore });
  await environment.withSecurityRulesDisabled(async (context) => {
    for (const path of PATHS) await context.firestore().doc(path).set(DATA);
  });
  const client =
    uid === NOBODY ? environment.unauthenticatedContext() : environment.authenticatedContext(uid);

  const found: Record<string, string[]> = {};
  for (const path of PATHS) {
    for (const [action, act] of Object.entries(ACTIONS)) {
      await act(client.firestore(), path, uid).then(
        () => (found[path] ??= []).push(action),
        (error: unknown) => {
          if ((error as FirestoreError).code !== 'permission-denied') throw error;
        },
      );
    }
  }
  await environment.cleanup();

  expect(found).toEqual(expected);
});
