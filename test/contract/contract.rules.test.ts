/** The contract on Google's Firestore emulator. */
import { inProcessService } from '../support/inProcessService.ts';
import { histories } from './generator.ts';
import { expectExplained } from './play.ts';

const service = inProcessService({}, process.env.FIRESTORE_EMULATOR_HOST);

test(
  'the contract explains every answer and everything stored on Google’s emulator',
  async () => {
    await expectExplained(service, histories(), { runs: 100 });
  },
  24 * 60 * 60 * 1000,
);
