import { assertOwner, getOwner, assertRole } from './permissions.ts';

test.each([
  { name: 'a prefix of the uid', owner: { stringValue: 'alice' }, callerId: 'alice-2' },
  {
    name: 'a string that starts with the uid',
    owner: { stringValue: 'alice-2' },
    callerId: 'alice',
  },
  { name: 'a number with its digits', owner: { integerValue: '7' }, callerId: '7' },
  {
    name: 'a list with the uid',
    owner: { arrayValue: { values: [{ stringValue: 'alice' }] } },
    callerId: 'alice',
  },
  { name: 'missing', owner: undefined, callerId: 'undefined' },
])('assertOwner rejects the caller if the stored owner is $name', ({ owner, callerId }) => {
  expect(() => {
    const document = { id: 'a', fields: owner === undefined ? {} : { owner } };
    assertOwner(getOwner(document, 'owner'), callerId, { id: 'a', field: 'id' });
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
  { name: 'the field', fields: ['artistId'], callerId: 'alice' },
  { name: 'the second of two fields', fields: ['artistId', 'clientId'], callerId: 'bob' },
  { name: 'a list', fields: ['participantIds'], callerId: 'carol' },
] as const)('assertRole allows a caller who is in $name', ({ fields, callerId }) => {
  expect(() => {
    assertRole(BOOKING, fields, callerId, 'bookingId');
  }).not.toThrow();
});

test.each([
  { name: 'who is only in another field', fields: ['artistId'], callerId: 'bob' },
  {
    name: 'whose uid is a prefix of one in a list',
    fields: ['participantIds'],
    callerId: 'alice',
  },
  { name: 'if the field is missing', fields: ['note'], callerId: 'undefined' },
  { name: 'if there are no fields', fields: [], callerId: 'alice' },
] as const)('assertRole rejects a caller $name', ({ fields, callerId }) => {
  expect(() => {
    assertRole(BOOKING, fields, callerId, 'bookingId');
  }).toThrow('bookingId refers to a document that you are not part of.');
});
