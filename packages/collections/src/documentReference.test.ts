import { listUniqueReferences } from './documentReference.ts';

test('listUniqueReferences names a repeated document once, by its first position', () => {
  expect(listUniqueReferences('ids', ['a', 'b', 'a', 'c'])).toEqual([
    { id: 'a', field: 'ids[0]' },
    { id: 'b', field: 'ids[1]' },
    { id: 'c', field: 'ids[3]' },
  ]);
});
