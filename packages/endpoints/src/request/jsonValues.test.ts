import * as fc from 'fast-check';
import { hasMoreValuesThan } from './jsonValues.ts';

/** Counts the values of parsed JSON. An empty array or object counts twice. */
function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  const values: unknown[] = Object.values(value);
  return (
    1 +
    Math.max(
      1,
      values.map(countValues).reduce((sum, count) => sum + count, 0),
    )
  );
}

test.each([
  { json: '7', count: 1 },
  { json: '"[,{"', count: 1 },
  { json: '"\\"[,{"', count: 1 },
  { json: '[1,2,3]', count: 4 },
  { json: '{"a,b":[{}],"c":"]["}', count: 5 },
  { json: '[[[[', count: 5 },
])('counts $count values in $json', ({ json, count }) => {
  const padded = Buffer.from(json.padEnd(100));

  expect(hasMoreValuesThan(padded, count)).toBe(false);
  expect(hasMoreValuesThan(padded, count - 1)).toBe(count > 1);
});

test('never counts more values than JSON has', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json = Buffer.from(`${JSON.stringify(value)}${' '.repeat(10_000)}`);
      expect(hasMoreValuesThan(json, countValues(value))).toBe(false);
    }),
  );
});
