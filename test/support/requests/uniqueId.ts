import { randomUUID } from 'node:crypto';

/** Creates an id that no other test uses. */
export function createUniqueId(prefix: string): string {
  return `${prefix}-${randomUUID()}`;
}
