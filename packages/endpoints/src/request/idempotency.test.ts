import { createDocumentId } from './idempotency.ts';

const parseProto = (value: number) => JSON.parse(`{"__proto__":${value}}`) as unknown;

test('returns the same ID, of 20 letters and digits, whatever the order of keys', () => {
  const id = createDocumentId([{ a: 1, b: [{ c: 2, d: 3 }] }]);

  expect(id).toMatch(/^[A-Za-z\d]{20}$/);
  expect(createDocumentId([{ b: [{ d: 3, c: 2 }], a: 1 }])).toBe(id);
});

test('returns another ID each time without a fingerprint', () => {
  expect(createDocumentId()).not.toBe(createDocumentId());
});

test.each([
  { name: 'the order of a list', one: [1, 2], other: [2, 1] },
  { name: 'the nesting of lists', one: [[1], 2], other: [[1, 2]] },
  { name: 'an empty list and an empty object', one: [], other: {} },
  { name: 'the type of a value', one: '1', other: 1 },
  { name: 'a key', one: { a: 'b' }, other: { b: 'a' } },
  { name: 'the value of __proto__', one: parseProto(1), other: parseProto(2) },
])('returns different IDs for fingerprints that differ in $name', ({ one, other }) => {
  expect(createDocumentId([one])).not.toBe(createDocumentId([other]));
});
