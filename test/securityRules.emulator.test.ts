/** Tests the security rules on Google's Firestore emulator, because the embedded Firestore does not evaluate rules. */
import { readFileSync } from 'node:fs';
import { initializeTestEnvironment, type RulesTestContext } from '@firebase/rules-unit-testing';
import { setLogLevel, type FirestoreError } from 'firebase/firestore';

const ARTIST = 'artist-alice';
const CLIENT = 'client-carol';
const ANONYMOUS = 'an anonymous user';

/** The data of every document, so that only its path decides. */
const DATA = {
  isPublic: true,
  artistId: ARTIST,
  clientId: CLIENT,
  participantIds: [ARTIST, CLIENT],
};
/** The path of a document in every collection, and in an unknown collection. */
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

function getParentPath(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

/** Operations that a client may try with a document and its collection. */
const ACTIONS: Readonly<Record<string, Action>> = {
  get: (firestore, path) => firestore.doc(path).get(),
  list: (firestore, path) => firestore.collection(getParentPath(path)).limit(1).get(),
  'list as artist': (firestore, path, uid) =>
    firestore.collection(getParentPath(path)).where('artistId', '==', uid).get(),
  'list as client': (firestore, path, uid) =>
    firestore.collection(getParentPath(path)).where('clientId', '==', uid).get(),
  'list as participant': (firestore, path, uid) =>
    firestore.collection(getParentPath(path)).where('participantIds', 'array-contains', uid).get(),
  'list all': (firestore, path) => firestore.collectionGroup(path.split('/').at(-2) ?? '').get(),
  create: (firestore, path) => firestore.collection(getParentPath(path)).add(DATA),
  replace: (firestore, path) => firestore.doc(path).set(DATA),
  delete: (firestore, path) => firestore.doc(path).delete(),
};

// Each rejection would log a warning.
setLogLevel('silent');

const DEPLOYED_RULES = 'firestore.rules';
const CLIENT_READS = 'tools/data/clientReads.rules';
const LIST_AS_ARTIST = ['list as artist'];
const LIST_AS_PARTICIPANT = ['list as participant'];
/** Queries of a user for the user's own documents. They may find none. */
const OWN_QUERIES = {
  'availability/a': LIST_AS_ARTIST,
  'unavailableEvents/a': LIST_AS_ARTIST,
  'bookings/a': ['list as artist', 'list as client'],
  'conversations/a': LIST_AS_PARTICIPANT,
};
/** The actions of a participant of the booking and the conversation. */
const PARTICIPANT_ACTIONS = {
  'bookings/a': ['get', ...OWN_QUERIES['bookings/a']],
  'conversations/a': ['get', ...LIST_AS_PARTICIPANT],
  'conversations/a/messages/a': [
    'get',
    'list',
    ...LIST_AS_ARTIST,
    'list as client',
    ...LIST_AS_PARTICIPANT,
  ],
};

interface Row {
  readonly rules: string;
  readonly uid: string;
  /** The allowed actions, by path. */
  readonly allowed: Readonly<Record<string, string[]>>;
}

test.each<Row>([
  ...[ANONYMOUS, 'bob', ARTIST, CLIENT].map((uid) => ({ rules: DEPLOYED_RULES, uid, allowed: {} })),
  { rules: CLIENT_READS, uid: ANONYMOUS, allowed: {} },
  { rules: CLIENT_READS, uid: 'bob', allowed: OWN_QUERIES },
  { rules: CLIENT_READS, uid: CLIENT, allowed: { ...OWN_QUERIES, ...PARTICIPANT_ACTIONS } },
  {
    rules: CLIENT_READS,
    uid: ARTIST,
    allowed: {
      'availability/a': ['get', ...LIST_AS_ARTIST],
      'unavailableEvents/a': ['get', ...LIST_AS_ARTIST],
      ...PARTICIPANT_ACTIONS,
    },
  },
])('$rules only allows $uid the actions that docs/data.md lists', async (row) => {
  const { rules, uid, allowed } = row;
  const [host = '', port = ''] = (process.env.FIRESTORE_EMULATOR_HOST ?? '').split(':');
  const firestore = { host, port: Number(port), rules: readFileSync(rules, 'utf8') };
  const environment = await initializeTestEnvironment({ projectId: 'demo-rules', firestore });
  await environment.withSecurityRulesDisabled(async (context) => {
    for (const path of PATHS) await context.firestore().doc(path).set(DATA);
  });
  const client =
    uid === ANONYMOUS
      ? environment.unauthenticatedContext()
      : environment.authenticatedContext(uid);

  const succeeded: Record<string, string[]> = {};
  for (const path of PATHS) {
    for (const [action, act] of Object.entries(ACTIONS)) {
      await act(client.firestore(), path, uid).then(
        () => (succeeded[path] ??= []).push(action),
        (error: unknown) => {
          if ((error as FirestoreError).code !== 'permission-denied') throw error;
        },
      );
    }
  }
  await environment.cleanup();

  expect(succeeded).toEqual(allowed);
});
