/** The id of the document that a request creates. */
import { hash, randomBytes } from 'node:crypto';
import * as z from 'zod';

/** The header `Idempotency-Key`. */
export const idempotencyKeySchema = z
  .string()
  .regex(/^[!-~]{1,200}$/, 'must be 1 to 200 visible ASCII characters')
  .optional();

const ID_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/**
 * Returns a document ID of 20 letters and digits, like Firestore's SDKs do. The ID is derived from
 * `fingerprint`, whose objects may have their keys in any order. Without a fingerprint it is random.
 */
export function createDocumentId(fingerprint?: readonly unknown[]): string {
  const bytes =
    fingerprint === undefined
      ? randomBytes(20)
      : hash('sha256', JSON.stringify(fingerprint, sortKeys), 'buffer');
  return Array.from(bytes.subarray(0, 20), (byte) => ID_ALPHABET.charAt(byte % 62)).join('');
}

/** A replacer for `JSON.stringify`: objects that differ only in the order of their keys have the same JSON. */
function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
