/** Deletes documents of one owner, all or none. */
import type { DocumentSchema } from './documentSchema.ts';
import { commitWithRetries } from './optimisticCommit.ts';
import { readOwnedDocuments, type OwnedDocuments } from './ownedDocuments.ts';

/**
 * Deletes documents. Throws `not-found` if a document does not exist, and `permission-denied` if it
 * belongs to another user.
 */
export async function deleteOwned<Schema extends DocumentSchema>(
  owned: OwnedDocuments<Schema>,
): Promise<void> {
  await commitWithRetries(async () => {
    const documents = await readOwnedDocuments(owned, []);
    return documents.map(({ path, updateTime }) => ({ delete: { path, updateTime } }));
  });
}
