import { createDocumentId } from './newId.ts';

/** As many levels as a body may have. */
const deep = (end: number) =>
  JSON.parse('['.repeat(4_990) + String(end) + ']'.repeat(4_990)) as unknown;
const proto = (n: number) => JSON.parse(`{"__proto__":{"n":${n}}}`) as unknown;

test('equal JSON values have the same id, of 20 letters and digits', () => {
  expect(createDocumentId([{ a: 1, b: [undefined, { c: 2, d: 3 }] }])).toMatch(/^[A-Za-z\d]{20}$/);
  expect(createDocumentId([{ b: [null, { d: 3, c: 2 }], a: 1 }])).toBe(
    createDocumentId([{ a: 1, b: [undefined, { c: 2, d: 3 }] }]),
  );
  expect(createDocumentId([deep(1)])).toBe(createDocumentId([deep(1)]));
});

test.each<[string, unknown, unknown]>([
  ['an order', [1, 2], [2, 1]],
  ['a level', [[1], 2], [[1, 2]]],
  ['an empty list', [], {}],
  ['a text', '1', 1],
  ['a key', { a: 'b' }, { b: 'a' }],
  ['__proto__', proto(1), proto(2)],
  ['an innermost value', deep(1), deep(2)],
])('JSON values that differ in %s have different ids', (_what, one, other) => {
  expect(createDocumentId([one]) === createDocumentId([other])).toBe(false);
});
