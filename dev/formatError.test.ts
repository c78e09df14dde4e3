import { formatError } from './formatError.ts';

test.each([
  {
    name: 'an error with a cause',
    error: new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:1') }),
    text: 'fetch failed: connect ECONNREFUSED 127.0.0.1:1',
  },
  {
    name: 'a sentence with a cause',
    error: new Error('The call was not sent.', { cause: new Error('getaddrinfo ENOTFOUND x') }),
    text: 'The call was not sent: getaddrinfo ENOTFOUND x',
  },
  {
    name: 'a cause that the message contains already',
    error: new Error('Cannot read a.json: no such file.', { cause: new Error('no such file') }),
    text: 'Cannot read a.json: no such file.',
  },
  {
    name: 'several errors of one host',
    error: new Error('fetch failed', {
      cause: new AggregateError([
        new Error('ECONNREFUSED ::1'),
        new Error('ECONNREFUSED 127.0.0.1'),
      ]),
    }),
    text: 'fetch failed: ECONNREFUSED ::1, ECONNREFUSED 127.0.0.1',
  },
  { name: 'a value that is not an error', error: 'interrupted', text: 'interrupted' },
])('formatError prints $name', ({ error, text }) => {
  expect(formatError(error)).toBe(text);
});
