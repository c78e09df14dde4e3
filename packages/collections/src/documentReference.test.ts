import { listUniqueReferences, parseReference } from './documentReference.ts';

test('listUniqueReferences names a repeated document once, by its first position', () => {
  expect(listUniqueReferences('ids', ['a', 'b', 'a', 'c'])).toEqual([
    { 'ids[0]': 'a' },
    { 'ids[1]': 'b' },
    { 'ids[3]': 'c' },
  ]);
});

test.each([
  { reference: { id: 'a', field: 'bookingId' }, names: '{ id, field }' },
  { reference: {}, names: '{  }' },
])('rejects $names as a reference', ({ reference, names }) => {
  expect(() => parseReference(reference)).toThrow(
    `A document is referred to by one field of the request, such as { bookingId }, not by ${names}.`,
  );
});
