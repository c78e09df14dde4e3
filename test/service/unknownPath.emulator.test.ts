import { expectError } from '../support/expectError.ts';
import { rootOf, serviceRequest } from '../support/serviceRequest.ts';
import { testStack } from '../support/stack.ts';

describe('an unknown path', () => {
  const hosting = rootOf(new URL(testStack().baseAddress).origin);

  test.each([
    '/api',
    '/api/',
    '/api/nothing',
    '/api/artists/',
    '/api/artists/x',
    '/api/artists%zz',
    '/api/Artists',
    '/api/api/artists',
    '/api/flash',
    '/api/flash/artist',
    '/api/flash/artist/a',
    '/api/flash/artist/a/b/paginated',
    '/api/flash/artist/a/paginated/',
    '/api/gallery/artist/a/paginate',
    '/api/%00',
    '/api/__/functions',
    '/api/index.html',
  ])('is refused with our own message: %s', async (path) => {
    expectError(await serviceRequest(hosting, path), 404, 'There is no endpoint at this path.');
  });

  test.each(['POST', 'PUT', 'DELETE', 'PROPFIND'])('returns 404 for %s, too', async (method) => {
    const response = await serviceRequest(hosting, '/api/nothing', { method, body: '{bad' });

    expectError(response, 404, 'There is no endpoint at this path.');
  });
});
