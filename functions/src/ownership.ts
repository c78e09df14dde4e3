import type { CollectionReference, DocumentSnapshot, Transaction } from 'firebase-admin/firestore';
import { HttpsError } from 'firebase-functions/https';

/** A document that a request names. */
export interface NamedDocument {
  readonly id: string;
  /** The field that names it, as the caller wrote it: `flashUpdates[3].id`. */
  readonly field: string;
}

/**
 * Reads documents whose stored `artistId` must be the caller, in the transaction that will change them: with the
 * fields of the mask only, for what is read is held. Throws `not-found` where one is missing, then
 * `permission-denied` where one is another artist's.
 */
export async function readOwned(
  transaction: Transaction,
  collection: CollectionReference,
  named: readonly NamedDocument[],
  owner: string,
  otherFields: readonly string[] = [],
): Promise<DocumentSnapshot[]> {
  const documents = await transaction.getAll(...named.map(({ id }) => collection.doc(id)), {
    fieldMask: ['artistId', ...otherFields],
  });
  const missing = documents.findIndex((document) => !document.exists);
  if (missing >= 0)
    throw new HttpsError('not-found', `${fieldOf(named, missing)} names nothing that exists.`);
  const foreign = documents.findIndex((document) => document.get('artistId') !== owner);
  if (foreign >= 0) {
    throw new HttpsError(
      'permission-denied',
      `${fieldOf(named, foreign)} names what is not yours.`,
    );
  }
  return documents;
}

function fieldOf(named: readonly NamedDocument[], index: number): string {
  return named[index]?.field ?? 'The request';
}
