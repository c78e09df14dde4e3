import type { Firestore } from '@tattoo-marketplace/firestore-rest';
import { documentsOf } from './database.ts';
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
    documentsOf({ find } as unknown as Firestore, collectionNamed('messages'), []),
  );

  expect(pages.flat().map(({ path }) => path)).toEqual(['conversations/a/messages/x']);
});
