import { LRUCache } from 'lru-cache';

/**
 * A cache that drops its least recently used entries beyond `maxSize`: that many entries, or the sum of their sizes. Its
 * memory grows with its entries: with the option `max` the package allocates all of it in advance, which makes cold
 * starts slower.
 */
export function boundedCache<Value extends object>(
  maxSize: number,
  sizeOf: (value: Value, key: string) => number = () => 1,
): LRUCache<string, Value> {
  return new LRUCache({ maxSize, sizeCalculation: sizeOf });
}
