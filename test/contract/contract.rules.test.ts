/** The contract on Google's Firestore emulator. */
import { inProcessService } from '../support/inProcessService.ts';
import { histories } from './generator.ts';
import { expectExplained } from './play.ts';

const service = inProcessService({}, process.env.FIRESTORE_EMULATOR_HOST);

/** Google's emulator is several times slower than the embedded Firestore. */
const LIMIT_MS = 3 * 60_000;

test(
  'the contract explains every answer and everything stored on Google’s emulator',
  () => expectExplained(service, histories(), { runs: 100 }),
  LIMIT_MS,
);
