import { LRUCache } from 'lru-cache';

/**
 * Creates an LRU cache of at most `maxEntries` entries. Uses `maxSize` instead of `max`, which
 * would allocate memory for all entries up front and slow down cold starts.
 */
export function createLruCache<Value extends object>(maxEntries: number): LRUCache<string, Value> {
  return new LRUCache({ maxSize: maxEntries, sizeCalculation: () => 1 });
}
