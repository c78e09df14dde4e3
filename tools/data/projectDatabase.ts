/** The Firestore that a tool reads. */
import {
  openFirestore,
  type Firestore,
  type Limits,
  type Query,
  type StoredDocument,
} from '@tattoo-marketplace/firestore-rest';
import { accessToken, signIn, WITHIN_MS } from '../checks/googleApi.ts';
import { type AnyCollection, nameOf } from '@tattoo-marketplace/collections';
import { collectionOf } from '../../functions/service.ts';

/** Documents may have 1 MiB each. */
const PAGE_SIZE = 100;

/** Opens a database: on the emulator that `FIRESTORE_EMULATOR_HOST` names, or signed in as the Firebase CLI. */
export async function openDatabase(project: string, database = '(default)'): Promise<Firestore> {
  const emulator = process.env.FIRESTORE_EMULATOR_HOST;
  if (!emulator) await signIn(project);
  const tokens = { get: emulator ? () => 'owner' : accessToken, discard: () => undefined };
  const how = emulator ? { emulator } : { quotaProject: project };
  return openFirestore({ project, database, tokens, ...how });
}

/** How long one call may take. */
export function callLimits(): Limits {
  return { signal: AbortSignal.timeout(WITHIN_MS), msLeft: WITHIN_MS };
}

/** All documents of a collection. */
export function queryOf(stored: AnyCollection): Query {
  const collection = nameOf(stored);
  return { collection, isGroup: stored.path !== collection, where: {}, select: [] };
}

/** Up to `limit` documents of a collection, in pages. */
export async function* documentsOf(
  firestore: Firestore,
  collection: AnyCollection,
  limit: number,
): AsyncGenerator<readonly StoredDocument[]> {
  let after: StoredDocument | undefined;
  for (let left = limit; left > 0;) {
    const size = Math.min(PAGE_SIZE, left);
    const { documents } = await firestore.find(queryOf(collection), size, after, callLimits());
    // A collection of the same name may lie elsewhere.
    yield documents.filter(({ path }) => collectionOf(path)?.path === collection.path);
    left = documents.length < size ? 0 : left - size;
    after = documents.at(-1);
  }
}
