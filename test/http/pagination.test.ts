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

test.each([
  ...[
    '',
    '0',
    '51',
    '-1',
    '+1',
    '1.5',
    '1.0',
    '1e1',
    '0x10',
    ' 1',
    '1 ',
    '１',
    '1_0',
    '1,2',
    '1\0',
  ],
  ...['1234567890', '00000000001', '9'.repeat(400), 'abc', 'NaN', 'true', '[1]', ['1', '2']],
])('refuses the limit %j', (limit) => {
  expect(() => validated(parameters, { limit })).toThrow(
    /^limit must be an integer from 1 to 50\.$/,
  );
});

test.each<[string | string[], RegExp]>([
  ...['', '..', 'a/b', '__x__', 'x'.repeat(1501)].map((cursor): [string, RegExp] => [
    cursor,
    /^cursor must be an id: /,
  ]),
  [['a', 'b'], /^cursor must be a string\.$/],
])('refuses the cursor %j', (cursor, message) => {
  expect(() => validated(parameters, { cursor })).toThrow(message);
});
