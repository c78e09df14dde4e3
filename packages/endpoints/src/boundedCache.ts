import { LRUCache } from 'lru-cache';

/**
 * A cache that drops its least recently used entries beyond `maxEntries`. Its memory grows with its entries: with the
 * option `max` the package allocates all of it in advance, which makes cold starts slower.
 */
export function boundedCache<Value extends object>(maxEntries: number): LRUCache<string, Value> {
  return new LRUCache({ maxSize: maxEntries, sizeCalculation: () => 1 });
}
