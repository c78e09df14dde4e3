import { appCheck } from '../../packages/endpoints/src/declaration/parameters.ts';
import { useInProcessService } from '../../test/support/processes/inProcessService.ts';
import { listExpectedResponses } from './expectedResponses.ts';

const service = useInProcessService();

test.each(['off', 'monitor', 'enforce'] as const)(
  'the responses that check:deployed expects are those of the service with APP_CHECK=%s',
  async (mode) => {
    jest.spyOn(appCheck, 'value').mockReturnValue(mode);

    for (const { method, address, functionId, expected } of listExpectedResponses(mode)) {
      // Any function responds with 404 to a path that is not its own.
      const { status, headers } = await service.send(functionId ?? 'artists-list', {
        method,
        path: address,
      });
      const actual = [status, headers['x-error-code']].filter(Boolean).join(' ');
      expect(`${method} ${address}: ${actual}`).toBe(`${method} ${address}: ${expected}`);
    }
  },
);
