import { pageParameters } from '../../functions/src/http/pagination.ts';
import { validated } from '../../functions/src/http/input.ts';

const parameters = pageParameters({ max: 50, fallback: 20 });
const NOT_A_LIMIT = /^limit must be an integer from 1 to 50\.$/;
const NOT_AN_ID = /^cursor must be an id: /;

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
  ['limit', ['', '0', '51', '-1', '+1', '1.5', '1.0', '1e1', '0x10', '1_0', '1,2'], NOT_A_LIMIT],
  ['limit', [' 1', '1 ', '1\0', '１', 'abc', 'NaN', 'true', '[1]', ['1', '2']], NOT_A_LIMIT],
  ['limit', ['1234567890', '00000000001', '9'.repeat(400)], NOT_A_LIMIT],
  ['cursor', ['', '..', 'a/b', '__x__', 'x'.repeat(1501)], NOT_AN_ID],
  ['cursor', [['a', 'b']], /^cursor must be a string\.$/],
])('refuses as %s each of %j', (name, values, message) => {
  for (const value of values) {
    expect(() => validated(parameters, { [name]: value })).toThrow(message);
  }
});
