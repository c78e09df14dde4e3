/** `npm run seed [-- --port-offset N]`: resets the demo data of a running stack. */
import { parseArgs } from 'node:util';
import { PROJECT_ID, stackAddresses } from './addresses.ts';
import { portsAt } from './ports.ts';
import { writeDemoData } from '../demo/write.ts';

try {
  const { values } = parseArgs({ options: { 'port-offset': { type: 'string', default: '0' } } });
  const stack = stackAddresses(PROJECT_ID, portsAt(values['port-offset']));
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
