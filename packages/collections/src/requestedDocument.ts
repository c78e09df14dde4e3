/** The documents that a request refers to, and the users who may use them. */
import { FieldError, type RequestField } from '@tattoo-marketplace/endpoints';
import { decodePrimitive, type Value } from '@tattoo-marketplace/firestore-rest';

/** A document that a field of the request refers to: `{ id: 'abc', field: 'bookingId' }`. */
export type RequestedDocument = Required<RequestField>;

/** Lists the distinct documents in a list of IDs, each with the field of its first occurrence. */
export function listUniqueDocuments(field: string, ids: readonly string[]): RequestedDocument[] {
  const documentsById = new Map<string, RequestedDocument>();
  ids.forEach((id, index) => {
    if (!documentsById.has(id)) documentsById.set(id, { id, field: `${field}[${index}]` });
  });
  return [...documentsById.values()];
}

/** Creates the error for a document that does not exist. */
export function missingDocumentError(requested: RequestedDocument): FieldError {
  return new FieldError('not-found', requested, 'refers to a document that does not exist');
}

/** Throws `permission-denied` unless the stored owner is the caller. */
export function assertOwner(
  owner: Value | undefined,
  caller: string,
  requested: RequestedDocument,
): void {
  if (decodePrimitive(owner) === caller) return;
  throw new FieldError('permission-denied', requested, 'refers to a document that you do not own');
}

/**
 * Throws `permission-denied` unless one of these fields of a document is the caller's uid, or a
 * list that contains it. `requestField` is the field of the request that refers to the document:
 * `requireRole(booking, ['artistId', 'clientId'], caller, 'bookingId')`.
 */
export function requireRole<Document extends { readonly id: string }>(
  document: Document,
  fields: readonly (keyof Document)[],
  caller: string,
  requestField: string,
): void {
  const hasRole = fields.some((name) => {
    const value: unknown = document[name];
    return Array.isArray(value) ? value.includes(caller) : value === caller;
  });
  if (hasRole) return;
  throw new FieldError(
    'permission-denied',
    { field: requestField, id: document.id },
    'refers to a document that you are not part of',
  );
}
