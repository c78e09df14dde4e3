/** Document references: the IDs in a request that name stored documents. */
import { FieldError, type RequestField } from '@tattoo-marketplace/endpoints';

/** An ID, and the field of the request that has it: `{ id: 'abc', field: 'bookingId' }`. */
export type DocumentReference = Required<RequestField>;

/** Lists the distinct references in a list of IDs, each with the field of its first occurrence. */
export function listUniqueReferences(field: string, ids: readonly string[]): DocumentReference[] {
  const referencesById = new Map<string, DocumentReference>();
  ids.forEach((id, index) => {
    if (!referencesById.has(id)) referencesById.set(id, { id, field: `${field}[${index}]` });
  });
  return [...referencesById.values()];
}

/** Creates the error for a document that does not exist. */
export function missingDocumentError(reference: DocumentReference): FieldError {
  return new FieldError('not-found', reference, 'refers to a document that does not exist');
}
