import { expectError } from '../support/expectError.ts';
import { rootOf, serviceRequest } from '../support/serviceRequest.ts';
import { testStack } from '../support/stack.ts';

describe('an unknown path', () => {
  const hosting = rootOf(new URL(testStack().baseAddress).origin);

  test.each([
    '/api',
    '/api/nothing',
    '/api/artists/',
    '/api/artists%zz',
    '/api/flash/artist/a',
    '/api/%00',
    '/api/__/functions',
    '/api/index.html',
  ])('is refused with our own message: %s', async (path) => {
    expectError(await serviceRequest(hosting, path), 404, 'There is no endpoint at this path.');
  });

  test('returns 404 for other methods, too', async () => {
    const response = await serviceRequest(hosting, '/api/nothing', { method: 'PUT', body: '{bad' });

    expectError(response, 404, 'There is no endpoint at this path.');
  });
});
