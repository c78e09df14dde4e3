/** The contract on Google's Firestore emulator. */
import { useInProcessService } from '../support/processes/inProcessService.ts';
import { generateHistories } from './histories.ts';
import { expectLinearizable } from './run.ts';

const service = useInProcessService(process.env.FIRESTORE_EMULATOR_HOST);

test('responses and stored documents are linearizable on Google’s emulator', () =>
  expectLinearizable(service, generateHistories(), { all: 100 }));
