import { inProcessService } from '../support/inProcessService.ts';
import type { RawResponse } from '../../dev/shared/rawRequest.ts';
import { histories } from './generator.ts';
import type { Service } from './people.ts';
import { expectExplained } from './play.ts';

const service = inProcessService();

test('the contract explains every answer and everything stored', () =>
  expectExplained(service, histories(), { runs: 200 }));

test.each<[string, (response: RawResponse, again: () => Promise<unknown>) => unknown]>([
  ['does what it is asked twice', (_response, again) => again()],
  ['refuses what it does', (response) => Object.assign(response, { status: 404 })],
  [
    'leaves out elements',
    (response) => Object.assign(response, { text: response.text.replace(/\[\{.*\}\]/, '[]') }),
  ],
])('the contract does not explain a service that %s', async (_what, spoil) => {
  const spoiling: Service = {
    store: service.store,
    tokenOf: (uid) => service.tokenOf(uid),
    send: async (...request) => {
      const response = await service.send(...request);
      if (response.status === 200) await spoil(response, async () => service.send(...request));
      return response;
    },
  };

  const played = expectExplained(spoiling, histories(), { runs: 200 });

  await expect(played).rejects.toThrow('The contract does not explain this history.');
});
