import { demoAccount, featuredAccounts } from './demo/accounts.ts';
import type { StackAddresses } from './addresses.ts';

/** The message of `npm start` when everything runs: addresses, accounts, and commands to try. */
export function readyNotice(
  { baseAddress, functionsAddress, authHost, firestoreHost }: StackAddresses,
  portOffset: string,
): string {
  const seedOptions = portOffset === '0' ? '' : ` -- --port-offset ${portOffset}`;
  const { origin } = new URL(baseAddress);
  const account = demoAccount('artist-mara-voss');
  const accounts = featuredAccounts
    .map(({ email, password, note }) => `    ${email.padEnd(32)} ${password}   ${note}`)
    .join('\n');
  return `
  The service is running. Ctrl-C stops it; changes in functions/src take effect automatically, new paths after a restart.

  API reference    ${origin}
  Demo web app     ${origin}/demo/
  Base address     ${baseAddress}
  A function       ${functionsAddress}/artists-list
  Auth emulator    http://${authHost}
  Firestore        http://${firestoreHost}

  Demo accounts
${accounts}

  Reset the demo data
    npm run seed${seedOptions}

  Try it (signed in: ${origin}/#description/get-a-token)
    curl '${baseAddress}/flash/artist/${account.uid}/paginated?limit=5'
`;
}
