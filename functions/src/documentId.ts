import * as z from 'zod';

const MAX_BYTES = 1500;

/**
 * Whether Firestore takes this text as the id of one document: valid UTF-8 of 1 to 1500 bytes,
 * no `/`, not `.` or `..`, not `__…__` (https://firebase.google.com/docs/firestore/quotas#collections_documents_and_fields).
 * Asking Firestore instead costs seconds of retries, and an id with a slash reads another collection.
 */
export function isDocumentId(text: string): boolean {
  return (
    text !== '' &&
    text !== '.' &&
    text !== '..' &&
    !text.includes('/') &&
    !/^__.*__$/s.test(text) &&
    text.isWellFormed() &&
    Buffer.byteLength(text) <= MAX_BYTES
  );
}

/** The id of a document, as callers send it. */
export const documentId = z
  .string()
  .refine(isDocumentId, `must be an id: 1 to ${MAX_BYTES} bytes, no "/", not ".", ".." or "__…__"`)
  .meta({
    override: {
      minLength: 1,
      maxLength: MAX_BYTES,
      pattern: '^(?!\\.{1,2}$)(?!__[\\s\\S]*__$)[^/]+$',
    },
  });
