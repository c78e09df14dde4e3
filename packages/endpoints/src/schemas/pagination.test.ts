import { pageParameters } from './pagination.ts';
import { validate } from '../request/validate.ts';

const parameters = pageParameters({ maxLimit: 50, defaultLimit: 20 });
const NOT_A_LIMIT = /^limit must be an integer from 1 to 50\.$/;

test.each([
  [{}, { limit: 20 }],
  [{ limit: '1' }, { limit: 1 }],
  [
    { limit: '50', cursor: 'a' },
    { limit: 50, cursor: 'a' },
  ],
  [{ limit: '007', other: '1' }, { limit: 7 }],
])('%j means %j', (query, expected) => {
  expect(validate(parameters, query)).toEqual(expected);
});

test.each([
  ['limit', ['+1', '1.0', '1e1', '0x10', ' 1', '1 ', '１', '00000000001', ['1', '2']], NOT_A_LIMIT],
  ['cursor', [['a', 'b']], /^cursor must be a string\.$/],
])('rejects as %s each of %j', (name, values, message) => {
  for (const value of values) {
    expect(() => validate(parameters, { [name]: value })).toThrow(message);
  }
});
