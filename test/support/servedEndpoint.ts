import type { Endpoint } from '../../functions/src/http/declaration.ts';
import { serveInProcess, type ServedEndpoint } from './inProcess.ts';

/** The parts of a declaration that say nothing in a test. */
export const UNDESCRIBED = {
  summary: 'Test',
  description: 'Made for a test.',
  errors: {},
} as const;

/** Serves an endpoint from before the first test of a file until after its last. */
export function servedEndpoint(endpoint: Endpoint): Pick<ServedEndpoint, 'origin'> {
  let served: ServedEndpoint | undefined;

  beforeAll(async () => {
    served = await serveInProcess(endpoint);
  });

  afterAll(() => served?.stop());

  return {
    get origin() {
      return served?.origin ?? '';
    },
  };
}
