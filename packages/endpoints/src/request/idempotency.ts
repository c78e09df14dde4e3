/** Chooses the IDs of new documents. */
import { hash, randomBytes } from 'node:crypto';
import * as z from 'zod';

/** The schema of the header `Idempotency-Key`. */
export const idempotencyKeySchema = z
  .string()
  .regex(/^[!-~]{1,200}$/, 'must be 1 to 200 visible ASCII characters')
  .optional();

const ID_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/**
 * Creates a document ID of 20 letters and digits, like those of Firestore's SDKs. The ID is derived
 * from `fingerprint`, independent of the order of keys in its objects. Without a fingerprint it is
 * random.
 */
export function createDocumentId(fingerprint?: readonly unknown[]): string {
  const bytes =
    fingerprint === undefined
      ? randomBytes(20)
      : hash('sha256', JSON.stringify(fingerprint, sortKeys), 'buffer');
  return Array.from(bytes.subarray(0, 20), (byte) => ID_ALPHABET.charAt(byte % 62)).join('');
}

/** Sorts the keys of objects: a replacer for `JSON.stringify`. */
function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
