import { FirestoreError, type Firestore } from '@tattoo-marketplace/firestore-rest';
import { documentsOf } from './projectDatabase.ts';
import { collectionNamed } from './needs.ts';

test('documents of collections of the same name elsewhere are left out', async () => {
  const paths = [
    'conversations/a/messages/x',
    'conversations/a/threads/b/messages/x',
    'support/a/messages/x',
    'messages/x',
  ];
  const documents = paths.map((path) => {
    return { id: 'x', path, fields: {}, createTime: 'zero', updateTime: 'one' };
  });
  const find = () => Promise.resolve({ documents, reads: 4, bytes: 1 });

  const pages = await Array.fromAsync(
    documentsOf({ find } as unknown as Firestore, collectionNamed('messages')),
  );

  expect(pages.flat().map(({ path }) => path)).toEqual(['conversations/a/messages/x']);
});

test('a page that is too large is read again in smaller ones, and nothing is read twice', async () => {
  const all = Array.from({ length: 400 }, (_, id) => {
    const path = `flash/${1000 + id}`;
    return { id: path, path, fields: {}, createTime: 'zero', updateTime: 'one' };
  });
  const find: Firestore['find'] = (_query, limit, after) => {
    // Six documents are too many.
    if (limit > 5) return Promise.reject(new FirestoreError('RESPONSE_TOO_LARGE', ''));
    const left = all.filter(({ path }) => path > (after?.path ?? ''));
    return Promise.resolve({ documents: left.slice(0, limit), reads: 1, bytes: 1 });
  };

  const pages = await Array.fromAsync(
    documentsOf({ find } as unknown as Firestore, collectionNamed('flash'), 399),
  );

  expect(pages.flat()).toEqual(all.slice(0, 399));
});
