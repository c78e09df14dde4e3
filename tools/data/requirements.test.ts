import * as z from 'zod';
import { defineCollection } from '@tattoo-marketplace/collections';
import { getFieldRequirements } from './requirements.ts';

const Tool = z.object({
  id: z.string(),
  artistId: z.string().optional().describe('A field of this test.'),
  type: z.string().optional().describe('A field of this test.'),
  isSharp: z.boolean().optional().describe('A field of this test.'),
  isFull: z.boolean().optional().describe('A field of this test.'),
  order: z.number().optional().describe('A field of this test.'),
  time: z.number().optional().describe('A field of this test.'),
});

/** Declares a collection with these lists, and returns its requirements: `field: consequence`. */
function listRequirements(path: string, lists: readonly object[]): string[] {
  const tools = defineCollection(path, { description: 'Tools.', schema: Tool });
  for (const list of lists) tools.definePagedList({ item: Tool, orderBy: 'order', ...list });
  return getFieldRequirements(tools).map(({ field, consequence }) => `${field}: ${consequence}`);
}

test('a field by which all lists filter or sort is required', () => {
  const lists = [
    { filterBy: ['artistId'] },
    { filterBy: ['artistId'], where: { isSharp: true } },
    { filterBy: ['artistId'], where: { isSharp: false } },
  ];

  expect(listRequirements('required', lists)).toEqual([
    'artistId: in no list',
    'order: in no list',
  ]);
});

test('a filter of the list of one type is required in documents of this type', () => {
  const lists = [
    { where: { type: 'needle', isSharp: true } },
    { where: { type: 'ink', isFull: true } },
  ];

  expect(listRequirements('types', lists)).toEqual([
    'type: in no list',
    'isSharp: in no list',
    'order: in no list',
    'isFull: in no list',
  ]);
});

test('each of two sort fields is required in its list', () => {
  expect(listRequirements('sorted', [{}, { orderBy: 'time' }])).toEqual([
    'order: in no list by `order`',
    'time: in no list by `time`',
  ]);
});
