/** Reads the documents that a request changes or deletes, and checks their owner. */
import { ServiceError } from '@tattoo-marketplace/endpoints';
import type { StoredDocument } from '@tattoo-marketplace/firestore-rest';
import { getDocuments, isResponseTooLarge } from './database.ts';
import type { Collection } from './defineCollection.ts';
import {
  missingDocumentError,
  parseReference,
  type DocumentReference,
} from './documentReference.ts';
import type { DocumentSchema, FieldName } from './documentSchema.ts';
import { resolveCollectionPath, type Params } from './listQuery.ts';
import { assertOwner, getOwner, getOwnerField } from './permissions.ts';

/** Documents of one collection, and the user who must be the stored owner of each. */
export interface OwnedDocuments<Schema extends DocumentSchema> {
  readonly collection: Collection<Schema>;
  /** The values of the parameters in the collection's path: `{ conversationId }`. */
  readonly params?: Params;
  readonly documents: readonly DocumentReference[];
  readonly callerId: string;
  /**
   * The field with the uid of the user who owns the documents: by default the collection's owner;
   * `id` if the ID of a document is the uid of its owner.
   */
  readonly ownedBy?: FieldName<Schema> | 'id';
  /** The message if a document does not exist. Default: it names the field of the request. */
  readonly missingMessage?: string;
}

/**
 * Reads fields of the documents. Checks first that all exist, and then that the caller owns all of
 * them. Throws `not-found` or `permission-denied`, and an error that names the documents if
 * Firestore's response has more than `maxBytes`.
 */
export async function readOwnedDocuments<Schema extends DocumentSchema>(
  { collection, params = {}, documents, callerId, ownedBy, missingMessage }: OwnedDocuments<Schema>,
  fields: readonly string[],
  maxBytes?: number,
): Promise<readonly StoredDocument[]> {
  const ownerField = getOwnerField(collection, ownedBy);
  const collectionPath = resolveCollectionPath(collection.path, params);
  const references = documents.map(parseReference);
  const paths = references.map(({ id }) => `${collectionPath}/${id}`);
  // The ID of a document is not one of its fields.
  const mask = new Set(ownerField === 'id' ? fields : [ownerField, ...fields]);
  const results = await getLimitedDocuments(paths, [...mask], maxBytes);
  const owned = references.map((reference, index) => {
    const stored = results[index];
    if (stored !== undefined) return { reference, stored };
    if (missingMessage !== undefined) throw new ServiceError('not-found', missingMessage);
    throw missingDocumentError(reference);
  });
  return owned.map(({ reference, stored }) => {
    assertOwner(getOwner(stored, ownerField), callerId, reference);
    return stored;
  });
}

/** Maximum number of documents that the error for a response that is too large names. */
const MAX_EXAMPLES = 5;

/** Reads documents by path. Throws an error that names them if the response has more than `maxBytes`. */
async function getLimitedDocuments(
  paths: readonly string[],
  mask: readonly string[],
  maxBytes: number | undefined,
) {
  try {
    return await getDocuments(paths, mask, maxBytes);
  } catch (cause) {
    if (maxBytes === undefined || !isResponseTooLarge(cause)) throw cause;
    const examples = paths.slice(0, MAX_EXAMPLES).join(', ');
    throw new Error(`${mask.join(', ')} of ${examples} have more than ${maxBytes} bytes.`, {
      cause,
    });
  }
}
