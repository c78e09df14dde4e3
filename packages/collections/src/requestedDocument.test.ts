import { assertOwner, requireRole, listUniqueDocuments } from './requestedDocument.ts';

test('listUniqueDocuments names a repeated document once, by its first position', () => {
  expect(listUniqueDocuments('ids', ['a', 'b', 'a', 'c'])).toEqual([
    { id: 'a', field: 'ids[0]' },
    { id: 'b', field: 'ids[1]' },
    { id: 'c', field: 'ids[3]' },
  ]);
});

test.each([
  { name: 'a prefix of the uid', owner: { stringValue: 'alice' }, caller: 'alice-2' },
  {
    name: 'a string that starts with the uid',
    owner: { stringValue: 'alice-2' },
    caller: 'alice',
  },
  { name: 'a number with its digits', owner: { integerValue: '7' }, caller: '7' },
  {
    name: 'a list with the uid',
    owner: { arrayValue: { values: [{ stringValue: 'alice' }] } },
    caller: 'alice',
  },
  { name: 'missing', owner: undefined, caller: 'undefined' },
])('assertOwner rejects the caller if the stored owner is $name', ({ owner, caller }) => {
  expect(() => {
    assertOwner(owner, caller, { id: 'a', field: 'id' });
  }).toThrow('id refers to a document that you do not own.');
});

const BOOKING = {
  id: 'b',
  artistId: 'alice',
  clientId: 'bob',
  participantIds: ['carol', 'alice-2'],
  note: undefined,
};

test.each([
  { name: 'the field', fields: ['artistId'], caller: 'alice' },
  { name: 'the second of two fields', fields: ['artistId', 'clientId'], caller: 'bob' },
  { name: 'a list', fields: ['participantIds'], caller: 'carol' },
] as const)('requireRole allows a caller who is in $name', ({ fields, caller }) => {
  expect(() => {
    requireRole(BOOKING, fields, caller, 'bookingId');
  }).not.toThrow();
});

test.each([
  { name: 'who is only in another field', fields: ['artistId'], caller: 'bob' },
  {
    name: 'whose uid is a prefix of one in a list',
    fields: ['participantIds'],
    caller: 'alice',
  },
  { name: 'if the field is missing', fields: ['note'], caller: 'undefined' },
  { name: 'if there are no fields', fields: [], caller: 'alice' },
] as const)('requireRole rejects a caller $name', ({ fields, caller }) => {
  expect(() => {
    requireRole(BOOKING, fields, caller, 'bookingId');
  }).toThrow('bookingId refers to a document that you are not part of.');
});
