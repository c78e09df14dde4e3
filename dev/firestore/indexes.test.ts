import { neededIndexes, serves, type CompositeIndex } from './indexes.ts';
import { parseQuery } from './query.ts';

const from = [{ collectionId: 'c' }];
const filter = (fieldPath: string, op: string) => ({
  fieldFilter: {
    field: { fieldPath },
    op,
    value: { arrayValue: { values: [{ nullValue: null }] } },
  },
});
const where = (op: 'AND' | 'OR', ...filters: object[]) => ({
  where: { compositeFilter: { op, filters } },
});
const by = (...fields: string[]) => ({
  orderBy: fields.map((each) => ({
    field: { fieldPath: each.replace('-', '') },
    direction: each.startsWith('-') ? 'DESCENDING' : 'ASCENDING',
  })),
});
const all = [{ collectionId: 'c', allDescendants: true }];
const [a, b, list] = [filter('a', 'EQUAL'), filter('b', 'IN'), filter('l', 'ARRAY_CONTAINS')];
const range = filter('r', 'LESS_THAN');

const field = (text: string) => ({
  fieldPath: text.replace(/^[-+]/, ''),
  ...(text.startsWith('+')
    ? { arrayConfig: 'CONTAINS' }
    : { order: text.startsWith('-') ? 'DESCENDING' : 'ASCENDING' }),
});
/** An index as text: `a,-b` with the second field descending, `+l` with a list. */
const index = (text: string): CompositeIndex => ({
  collectionGroup: 'c',
  queryScope: text.startsWith('all ') ? 'COLLECTION_GROUP' : 'COLLECTION',
  fields: text.replace('all ', '').split(',').map(field),
});

test.each<[string, string[], object]>([
  ['one field', [], { where: range, ...by('-r') }],
  ['the name', [], { from: all, ...by('__name__') }],
  ['equal values', [], where('AND', a, b, list)],
  ['equal values, by one of them', [], { ...where('AND', a, b), ...by('a', '-__name__') }],
  ['an equal value and an order', ['a,-o'], { where: a, ...by('-o') }],
  ['several fields', ['b,+l,-o,-r'], { ...where('AND', b, list, range), ...by('-o') }],
  ['ranges of two fields', ['q,r'], where('AND', range, filter('q', 'LESS_THAN'))],
  ['a name in another direction', ['o,-__name__'], by('o', '-__name__')],
  [
    'alternatives',
    ['a,o', 'b,+l,o'],
    { ...where('OR', a, where('AND', b, list).where), ...by('o') },
  ],
  ['all collections of an id', ['all a,o'], { from: all, where: a, ...by('o') }],
])('a query about %s needs %j', (_what, needed, parts) => {
  const needs = neededIndexes(parseQuery({ from, ...parts }));

  expect(needs).toMatchObject(needed.map(index));
});

test('a sum over equal values needs an index with its field', () => {
  expect(neededIndexes(parseQuery({ from, where: a }), ['sum'])).toMatchObject([index('a,sum')]);
});

test.each<[boolean, string]>([
  [true, 'b,-a,-o'],
  [false, 'a,-o'],
  [false, 'a,b,o'],
  [false, 'a,b,c,-o'],
  [false, 'all a,b,-o'],
])('an order below two equal values is served (%s) by %s', (expected, text) => {
  const [needed] = neededIndexes(parseQuery({ from, ...where('AND', a, b), ...by('-o') }));

  expect(needed && serves(index(text), needed)).toBe(expected);
});
