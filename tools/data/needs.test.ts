import * as z from 'zod';
import { collection } from '@tattoo-marketplace/collections';
import { toFields } from '@tattoo-marketplace/firestore-embedded';
import { CollectionCheck } from './findings.ts';
import { sectionOf } from './guide.ts';
import { needsOf } from './needs.ts';

const studios = collection('studios', {
  purpose: 'Studios.',
  schema: z.object({
    id: z.string(),
    info: z.object({ kind: z.string().optional() }).optional(),
    isOpen: z.boolean().optional(),
    status: z.string().optional(),
  }),
});
studios.list({ where: { 'info.kind': 'shop', isOpen: true } });

/** How many findings there are in a document. */
function findingsIn(data: object): string[] {
  const check = new CollectionCheck(studios);
  check.add('studios/a', toFields(data));
  return check.result().findings.map(({ what }) => what);
}

test('a list of documents of one kind demands nothing of others, also where the kind stands in a map', () => {
  expect(findingsIn({ info: { kind: 'shop' } })).toEqual(['isOpen is missing']);
  expect(findingsIn({ info: { kind: 'home' } })).toEqual([]);
  expect(sectionOf(studios)).toContain('`isOpen` (where `info.kind` is `shop`)');
});

test('a field that two lists need, one of them for all documents, is needed by all', () => {
  studios.list({ where: { isOpen: true } });
  studios.list({ orderBy: 'status' });
  studios.list({ where: { status: 'new' } });

  expect(needsOf(studios)).toMatchObject([
    { field: 'info.kind', list: 'filter' },
    { field: 'isOpen', list: 'filter' },
    { field: 'status', list: 'filter' },
  ]);
  expect(needsOf(studios).map(({ only }) => only)).toEqual([undefined, undefined, undefined]);
});
