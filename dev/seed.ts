/** `npm run seed`: resets the demo data of a running stack. */
import './unsetProxy.ts';
import { PROJECT_ID, getStackAddresses } from './addresses.ts';
import { parseOptions } from './commandLine.ts';
import { assertEmulatorReachable } from './emulatorHost.ts';
import { formatError } from './formatError.ts';
import { getPortsWithOffset } from './ports.ts';
import { writeDemoData } from '../demo/writeDemoData.ts';

const { 'port-offset': portOffset = '0' } = parseOptions('npm run seed -- [OPTIONS]', {
  'port-offset': { type: 'string', value: 'N', help: 'the stack on the default ports plus N' },
});
try {
  const stack = getStackAddresses(PROJECT_ID, getPortsWithOffset(portOffset));
  await assertEmulatorReachable();
  await writeDemoData(stack);
  console.log(
    `Wrote the demo documents to ${stack.firestoreHost} and the accounts to ${stack.authHost}.`,
  );
} catch (error) {
  // fetch throws a TypeError if it cannot connect.
  const hint = error instanceof TypeError ? 'There is no running stack (npm start): ' : '';
  console.error(hint + formatError(error));
  process.exitCode = 1;
}
