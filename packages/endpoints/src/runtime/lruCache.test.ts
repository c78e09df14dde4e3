import { createLruCache } from './lruCache.ts';

test('drops the least recently used entry beyond its limit', () => {
  const cache = createLruCache<{ readonly value: number }>(3);
  for (const value of [1, 2, 3]) cache.set(String(value), { value });
  cache.get('1');

  cache.set('4', { value: 4 });

  expect(['1', '2', '3', '4'].map((key) => cache.get(key)?.value)).toEqual([1, undefined, 3, 4]);
});
