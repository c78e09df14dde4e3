import { createDocumentId } from './idempotency.ts';

const parseObjectWithProto = (value: number) => JSON.parse(`{"__proto__":${value}}`) as unknown;

test('returns the same ID of 20 letters and digits for objects with another order of keys', () => {
  const id = createDocumentId([{ a: 1, b: [{ c: 2, d: 3 }] }]);

  expect(id).toMatch(/^[A-Za-z\d]{20}$/);
  expect(createDocumentId([{ b: [{ d: 3, c: 2 }], a: 1 }])).toBe(id);
});

test('returns a new ID at each call without a fingerprint', () => {
  expect(createDocumentId()).not.toBe(createDocumentId());
});

test.each([
  { name: 'the order of a list', input: [1, 2], otherInput: [2, 1] },
  { name: 'the nesting of lists', input: [[1], 2], otherInput: [[1, 2]] },
  { name: 'the type of an empty value', input: [], otherInput: {} },
  { name: 'the type of a value', input: '1', otherInput: 1 },
  { name: 'a key', input: { a: 'b' }, otherInput: { b: 'a' } },
  {
    name: 'the value of __proto__',
    input: parseObjectWithProto(1),
    otherInput: parseObjectWithProto(2),
  },
])('returns different IDs for fingerprints that differ in $name', ({ input, otherInput }) => {
  expect(createDocumentId([input])).not.toBe(createDocumentId([otherInput]));
});

test.each([
  { name: 'a number beyond the range', json: '[1e400]' },
  { name: 'a string that is not valid Unicode', json: '["\\ud800"]' },
])('throws invalid-argument for $name', ({ json }) => {
  const fingerprint = JSON.parse(json) as unknown[];

  expect(() => createDocumentId(fingerprint)).toThrow(
    'With an Idempotency-Key, the body must have only finite numbers and valid Unicode.',
  );
});
