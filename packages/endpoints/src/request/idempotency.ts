/** Chooses the IDs of new documents. */
import { hash, randomBytes } from 'node:crypto';
import canonicalize from 'canonicalize';
import * as z from 'zod';
import { ServiceError } from '../declaration/errors.ts';

/** The schema of the header `Idempotency-Key`. */
export const idempotencyKeySchema = z
  .string()
  .regex(/^[!-~]{1,200}$/, 'must be 1 to 200 visible ASCII characters')
  .optional();

const ID_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/**
 * Creates a document ID of 20 letters and digits, like those of Firestore's SDKs. The ID is derived
 * from the canonical form (RFC 8785) of `fingerprint`, so that the order of keys does not matter.
 * Without a fingerprint it is random. Throws `invalid-argument` for a fingerprint without a canonical form.
 */
export function createDocumentId(fingerprint?: readonly unknown[]): string {
  const bytes =
    fingerprint === undefined
      ? randomBytes(20)
      : hash('sha256', toCanonicalJson(fingerprint), 'buffer');
  return Array.from(bytes.subarray(0, 20), (byte) => ID_ALPHABET.charAt(byte % 62)).join('');
}

function toCanonicalJson(fingerprint: readonly unknown[]): string {
  try {
    return canonicalize(fingerprint) ?? '';
  } catch {
    throw new ServiceError(
      'invalid-argument',
      'With an Idempotency-Key, the body must have only finite numbers and valid Unicode.',
    );
  }
}
