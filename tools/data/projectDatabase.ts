/** The Firestore that a tool reads. */
import {
  FirestoreError,
  openFirestore,
  type Firestore,
  type Limits,
  type Query,
  type StoredDocument,
} from '@tattoo-marketplace/firestore-rest';
import { accessToken, signIn, WITHIN_MS } from '../checks/googleApi.ts';
import { type AnyCollection, nameOf } from '@tattoo-marketplace/collections';
import { collectionOf } from '../../functions/service.ts';

const PAGE_SIZE = 300;
/** Documents may have 1 MiB each: a larger page is read again, in smaller ones. */
const MAX_PAGE_BYTES = 32 * 1024 * 1024;

/** Opens a database: on the emulator that `FIRESTORE_EMULATOR_HOST` names, or signed in as the Firebase CLI. */
export async function openDatabase(project: string, database = '(default)'): Promise<Firestore> {
  const emulator = process.env.FIRESTORE_EMULATOR_HOST;
  if (emulator) {
    const tokens = { get: () => Promise.resolve('owner'), discard: () => undefined };
    return openFirestore({ project, database, tokens, emulator });
  }
  await signIn(project);
  const tokens = { get: accessToken, discard: () => undefined };
  return openFirestore({ project, database, tokens, quotaProject: project });
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
  limit = Number.MAX_SAFE_INTEGER,
): AsyncGenerator<readonly StoredDocument[]> {
  const query = queryOf(collection);
  let after: StoredDocument | undefined;
  let pageSize = PAGE_SIZE;
  for (let left = limit; left > 0;) {
    const size = Math.min(pageSize, left);
    const limits = { ...callLimits(), maxBytes: MAX_PAGE_BYTES };
    const found = await firestore.find(query, size, after, limits).catch((error: unknown) => {
      if (error instanceof FirestoreError && error.status === 'RESPONSE_TOO_LARGE' && size > 1)
        return;
      throw error;
    });
    if (found === undefined) {
      pageSize = Math.ceil(size / 4);
      continue;
    }
    const { documents } = found;
    // A collection of the same name may lie elsewhere.
    yield documents.filter(({ path }) => collectionOf(path)?.path === collection.path);
    // `find` returns all documents up to `size` or fails, so a shorter page is the last one.
    left = documents.length < size ? 0 : left - size;
    after = documents.at(-1);
  }
}
