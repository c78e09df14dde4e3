/** The users who may use a document. */
import { FieldError, type RequestField } from '@tattoo-marketplace/endpoints';
import { decodePrimitive, type StoredDocument } from '@tattoo-marketplace/firestore-rest';
import type { Collection } from './defineCollection.ts';

/** Returns the field with the uid of the user who owns a document. */
export function getOwnerField({ owner, path }: Collection, ownedBy = owner): string {
  if (ownedBy !== undefined) return ownedBy;
  throw new Error(`The collection ${path} declares no owner, so \`ownedBy\` is required.`);
}

/** Returns the owner of a document: the value of the owner field, or the ID of the document if that field is `id`. */
export function getOwner({ id, fields }: Pick<StoredDocument, 'id' | 'fields'>, field: string) {
  return field === 'id' ? id : decodePrimitive(fields[field]);
}

/** Throws `permission-denied` unless the stored owner is the caller. */
export function assertOwner(
  owner: ReturnType<typeof getOwner>,
  callerId: string,
  reference: Required<RequestField>,
): void {
  if (owner === callerId) return;
  throw new FieldError('permission-denied', reference, 'refers to a document that you do not own');
}

/**
 * Throws `permission-denied` unless one of these fields of a document is the caller's uid, or a
 * list that contains it. `requestField` is the field of the request that refers to the document:
 * `assertRole(booking, ['artistId', 'clientId'], callerId, 'bookingId')`.
 */
export function assertRole<Document extends { readonly id: string }>(
  document: Document,
  fields: readonly (keyof Document)[],
  callerId: string,
  requestField: string,
): void {
  const hasRole = fields.some((name) => {
    const value: unknown = document[name];
    return Array.isArray(value) ? value.includes(callerId) : value === callerId;
  });
  if (hasRole) return;
  throw new FieldError(
    'permission-denied',
    { field: requestField, id: document.id },
    'refers to a document that you are not part of',
  );
}
