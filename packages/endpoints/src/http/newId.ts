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
 * Returns a document ID of 20 alphanumeric characters, like Firestore's SDKs do. The ID is derived
 * from `fingerprint`; without one it is random.
 */
export function createDocumentId(same?: readonly unknown[]): string {
  const bytes =
    same === undefined ? randomBytes(20) : hash('sha256', toCanonicalJson(same), 'buffer');
  return Array.from(bytes.subarray(0, 20), (byte) => ID_ALPHABET.charAt(byte % 62)).join('');
}

/**
 * Serializes JSON canonically: equal values have equal text, independent of key order. Iterative,
 * because `JSON.stringify` overflows the stack for deeply nested bodies.
 */
function toCanonicalJson(json: unknown): string {
  const texts: string[] = [];
  const rest = [json];
  while (rest.length > 0) {
    const value = rest.pop();
    if (typeof value !== 'object' || value === null) {
      texts.push(JSON.stringify(value ?? null));
      continue;
    }
    const isList = Array.isArray(value);
    const members: readonly unknown[] = isList ? value : sortedEntries(value).flat();
    texts.push(`${isList ? '[' : '{'}${members.length}`);
    rest.push(...members);
  }
  return texts.join();
}

function sortedEntries(object: object): [string, unknown][] {
  return Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1));
}
