/** Document references: the IDs in a request that name stored documents. */
import { FieldError, type RequestField } from '@tattoo-marketplace/endpoints';

/** The ID of a document, by the field of the request that has it: `{ bookingId }`, `{ 'flashIds[3]': 'abc' }`. */
export type DocumentReference = Readonly<Record<string, string>>;

/** Parses a reference. Throws unless it has one field. */
export function parseReference(reference: DocumentReference): Required<RequestField> {
  const [[field, id] = [], ...others] = Object.entries(reference);
  if (field !== undefined && id !== undefined && others.length === 0) return { field, id };
  throw new Error(
    `A document is referred to by one field of the request, such as { bookingId }, not by { ${Object.keys(reference).join(', ')} }.`,
  );
}

/** Lists the distinct references in a list of IDs, each with the field of its first occurrence. */
export function listUniqueReferences(field: string, ids: readonly string[]): DocumentReference[] {
  const referencesById = new Map<string, DocumentReference>();
  ids.forEach((id, index) => {
    if (!referencesById.has(id)) referencesById.set(id, { [`${field}[${index}]`]: id });
  });
  return [...referencesById.values()];
}

/** Creates the error for a document that does not exist. */
export function missingDocumentError(reference: Required<RequestField>): FieldError {
  return new FieldError('not-found', reference, 'refers to a document that does not exist');
}
