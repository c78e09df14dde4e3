import * as fc from 'fast-check';
import { hasMoreValues } from '../../functions/src/http/jsonValues.ts';

/** The number of values: each list, each map, and each value in them. An empty list or map counts as two. */
function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  const members: unknown[] = Object.values(value);
  return (
    1 +
    Math.max(
      1,
      members.map(valuesIn).reduce((sum, count) => sum + count, 0),
    )
  );
}

test.each([
  ['7', 1],
  ['"[,{"', 1],
  ['"\\"[,{"', 1],
  ['[1,2,3]', 4],
  ['{"a,b":[{}],"c":"]["}', 5],
  ['[[[[', 5],
])('counts in %s exactly %i values', (json, count) => {
  const padded = Buffer.from(json.padEnd(100));

  expect(hasMoreValues(padded, count)).toBe(false);
  expect(hasMoreValues(padded, count - 1)).toBe(count > 1);
});

test('never counts more values than any JSON has (an empty list or map counts as two)', () => {
  const isCounted = fc.property(fc.jsonValue(), (value) => {
    const json = Buffer.from(`${JSON.stringify(value)}${' '.repeat(10_000)}`);
    return !hasMoreValues(json, valuesIn(value));
  });

  expect(() => {
    fc.assert(isCounted);
  }).not.toThrow();
});
