import { pageParameters } from '../../functions/src/http/pagination.ts';
import { validated } from '../../functions/src/http/validation.ts';

const parameters = pageParameters({ max: 50, fallback: 20 });

test.each([
  [{}, { limit: 20 }],
  [{ limit: '1' }, { limit: 1 }],
  [
    { limit: '50', cursor: 'a' },
    { limit: 50, cursor: 'a' },
  ],
  [{ limit: '007', other: '1' }, { limit: 7 }],
])('%j means %j', (query, expected) => {
  expect(validated(parameters, query)).toEqual(expected);
});

test.each(['', '0', '51', '-1', 'abc', '1.5', '1e1', '0x10', ' 1', '1 ', '1234567890', ['1', '2']])(
  'refuses the limit %j',
  (limit) => {
    expect(() => validated(parameters, { limit })).toThrow(
      /^limit must be an integer from 1 to 50\.$/,
    );
  },
);

test.each(['', '..', 'a/b', '__x__'])('refuses the cursor %j', (cursor) => {
  expect(() => validated(parameters, { cursor })).toThrow(/^cursor must be an id: /);
});
