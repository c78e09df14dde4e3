/** The contract on Google's Firestore emulator. */
import { useInProcessService } from '../support/inProcessService.ts';
import { histories } from './generator.ts';
import { expectExplained, LIMIT_MS } from './play.ts';

const service = useInProcessService(process.env.FIRESTORE_EMULATOR_HOST);

test(
  'the contract explains every answer and everything stored on Google’s emulator',
  () => expectExplained(service, histories(), { runs: 100 }),
  LIMIT_MS,
);
