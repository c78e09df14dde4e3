import { ServiceError } from '../declaration/errors.ts';

/** Decodes percent-escapes; undefined if they are malformed. */
export function tryDecode(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

/** Decodes percent-escapes. Throws `invalid-argument` if they are malformed. */
export function decode(encoded: string, location: 'path' | 'query'): string {
  const decoded = tryDecode(encoded);
  if (decoded !== undefined) return decoded;
  throw new ServiceError('invalid-argument', `The ${location} has a malformed percent-escape.`);
}
