import { parseLoggedError } from './loggedErrors.ts';

test.each([
  {
    name: 'a line with an error',
    line: '{"severity":"ERROR","message":"Error: a\\n    at b"}',
    message: 'Error: a\n    at b',
  },
  {
    name: 'a line that the emulators print',
    line: '>  {"context":{"httpRequest":{}},"severity":"ERROR","message":"a"}',
    message: 'a',
  },
  {
    name: 'the line of a request with status 500',
    line: '{"severity":"ERROR","message":"GET /a 500","httpRequest":{"status":500}}',
    message: undefined,
  },
  { name: 'a warning', line: '{"severity":"WARNING","message":"a"}', message: undefined },
  { name: 'a line of another program', line: 'Error: a', message: undefined },
])('parseLoggedError returns the message of errors only: $name', ({ line, message }) => {
  expect(parseLoggedError(line)).toBe(message);
});
