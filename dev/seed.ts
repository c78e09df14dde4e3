/** `npm run seed`: resets the demo data of a running stack. */
import { PROJECT_ID, getStackAddresses } from './addresses.ts';
import { parseOptions } from './commandLine.ts';
import { portsWithOffset } from './ports.ts';
import { writeDemoData } from '../demo/write.ts';

const { 'port-offset': portOffset = '0' } = parseOptions('npm run seed -- [OPTIONS]', {
  'port-offset': { type: 'string', value: 'N', help: 'the stack on the default ports plus N' },
});
try {
  const stack = getStackAddresses(PROJECT_ID, portsWithOffset(portOffset));
  await writeDemoData(stack);
  console.log(
    `Wrote the demo documents to ${stack.firestoreHost} and the accounts to ${stack.authHost}.`,
  );
} catch (error) {
  const { message, cause } = error as Error;
  console.error(
    cause instanceof Error ? `There is no running stack (npm start): ${cause.message}.` : message,
  );
  process.exitCode = 1;
}
