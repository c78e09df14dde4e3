import { isPageSizeSchema, pageParameters } from './pagination.ts';
import { validate } from './validate.ts';

const parameters = pageParameters({ maxLimit: 50, defaultLimit: 20 });

test.each([
  { name: 'the default limit', query: {}, page: { limit: 20 } },
  { name: 'a limit', query: { limit: '1' }, page: { limit: 1 } },
  {
    name: 'a limit and a cursor',
    query: { limit: '50', cursor: 'a' },
    page: { limit: 50, cursor: 'a' },
  },
  { name: 'a limit with leading zeros', query: { limit: '007' }, page: { limit: 7 } },
  { name: 'no unknown parameter', query: { other: '1' }, page: { limit: 20 } },
])('returns $name', ({ query, page }) => {
  expect(validate(parameters, query)).toEqual(page);
});

test.each(['+1', '1.0', '1e1', '0x10', ' 1', '1 ', '１', '00000000001', ['1', '2']])(
  'rejects %j as a limit',
  (limit) => {
    expect(() => validate(parameters, { limit })).toThrow(
      /^limit must be an integer from 1 to 50\.$/,
    );
  },
);

test('rejects two cursors', () => {
  expect(() => validate(parameters, { cursor: ['a', 'b'] })).toThrow(/^cursor must be a string\.$/);
});

test('the page size is marked, also with another description', () => {
  const { limit, cursor } = parameters.shape;

  expect([limit, limit.describe('A limit.'), cursor].map(isPageSizeSchema)).toEqual([
    true,
    true,
    false,
  ]);
});

test.each([
  {
    maxLimit: 5000,
    defaultLimit: 20,
    message: 'maxLimit is 5000. It must be an integer from 1 to 500.',
  },
  { maxLimit: 0, defaultLimit: 20, message: 'maxLimit is 0. It must be an integer from 1 to 500.' },
  { maxLimit: 1.5, defaultLimit: 1, message: 'maxLimit is 1.5. It must be' },
  {
    maxLimit: 50,
    defaultLimit: 51,
    message: 'defaultLimit is 51. It must be an integer from 1 to 50.',
  },
])(
  'rejects a maxLimit of $maxLimit with a defaultLimit of $defaultLimit',
  ({ message, ...limits }) => {
    expect(() => pageParameters(limits)).toThrow(message);
  },
);
