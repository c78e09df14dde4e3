import type { CollectionReference, DocumentSnapshot } from 'firebase-admin/firestore';
import { HttpsError } from 'firebase-functions/https';
import type { Attempt } from './transaction.ts';

/** A document that a request names. */
export interface NamedDocument {
  readonly id: string;
  /** The field that names it, as the caller wrote it: `flashUpdates[3].id`. */
  readonly field: string;
}

/** Reads the documents that a request names, with the fields of the mask only, for what is read is held. */
export async function readNamed(
  attempt: Attempt,
  collection: CollectionReference,
  named: readonly NamedDocument[],
  otherFields: readonly string[] = [],
): Promise<DocumentSnapshot[]> {
  return attempt.getAll(
    named.map(({ id }) => collection.doc(id)),
    { fieldMask: ['artistId', ...otherFields] },
  );
}

/**
 * Holds documents that were read to their owner: their stored `artistId` must be the caller. Throws `not-found` where
 * one is missing, then `permission-denied` where one is another artist's.
 */
export function requireOwned(
  documents: readonly DocumentSnapshot[],
  named: readonly NamedDocument[],
  owner: string,
): void {
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
}

/** Reads documents of the caller's in the transaction that will change them; throws what `requireOwned` throws. */
export async function readOwned(
  attempt: Attempt,
  collection: CollectionReference,
  named: readonly NamedDocument[],
  owner: string,
  otherFields?: readonly string[],
): Promise<DocumentSnapshot[]> {
  const documents = await readNamed(attempt, collection, named, otherFields);
  requireOwned(documents, named, owner);
  return documents;
}

function fieldOf(named: readonly NamedDocument[], index: number): string {
  return named[index]?.field ?? 'The request';
}
