/** Mistakes in a declaration throw when the module is loaded. */
import * as z from 'zod';
import { defineCollection } from './defineCollection.ts';

const description = 'Things of this test.';
const Thing = z.object({
  id: z.string(),
  artistId: z.string().optional(),
  order: z.number().optional(),
});
const things = defineCollection('things', { description, schema: Thing });

test('rejects a second declaration of a collection', () => {
  expect(() => defineCollection('things', { description, schema: Thing })).toThrow(
    'The collection things is declared already: import that declaration, and add what it lacks there.',
  );
});

test.each(['info.order', 'list-order'])('rejects %s as the name of a field', (name) => {
  const schema = z.object({ ...Thing.shape, [name]: z.string().optional() });

  expect(() => defineCollection('others', { description, schema })).toThrow(
    `${name} is not a valid field name: use letters, digits and underscores.`,
  );
});

test('rejects a list that is filtered by a field which its items do not have', () => {
  const where = { 'artistInfo.isVerified': true };

  expect(() => things.defineEntireList({ item: Thing, where })).toThrow(
    'things has no field artistInfo.isVerified to filter by.',
  );
});

test('rejects a list whose items require a field that it does not filter by', () => {
  const item = Thing.required({ artistId: true, order: true });

  expect(() => things.definePagedList({ item, filterBy: ['artistId'], orderBy: 'order' })).toThrow(
    'The schema of order is not supported for stored documents: required.',
  );
});
