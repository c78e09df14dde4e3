import { demoAccount, featuredAccounts } from './demo/accounts.ts';
import { DEFAULT_PORTS, LOOPBACK } from './ports.ts';
import type { Stack } from './stack.ts';

/** The message of `npm start` when everything runs: addresses, accounts, and commands to try. */
export function readyNotice(stack: Stack): string {
  const { projectId, baseAddress, functionsAddress, authHost, firestoreHost } = stack;
  const { origin } = new URL(baseAddress);
  const account = demoAccount('artist-mara-voss');
  const accounts = featuredAccounts
    .map(({ email, password, note }) => `    ${email.padEnd(32)} ${password}   ${note}`)
    .join('\n');
  const signIn = `http://${authHost}/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=demo`;
  return `
  The service is running. Ctrl-C stops it; changes in functions/src take effect automatically.

  API reference    ${origin}
  Demo web app     ${origin}/demo/
  Base address     ${baseAddress}
  A function       ${functionsAddress}/artists-list
  Auth emulator    http://${authHost}
  Firestore        http://${firestoreHost}

  Demo accounts
${accounts}

  Reset the demo data
    ${seedCommand(stack)}

  Try it
    curl ${baseAddress}/artists
    curl '${baseAddress}/flash/artist/${account.uid}/paginated?limit=5'
    curl -H 'Authorization: Bearer owner' 'http://${firestoreHost}/v1/projects/${projectId}/databases/(default)/documents/flash?pageSize=2'

  Signed in
    TOKEN=$(curl -s '${signIn}' -H 'Content-Type: application/json' \\
      -d '{"email":"${account.email}","password":"${account.password}","returnSecureToken":true}' \\
      | node -pe 'JSON.parse(require("fs").readFileSync(0)).idToken')
    curl -H "Authorization: Bearer $TOKEN" '${baseAddress}/conversations/get-messages?conversationId=conversation-mara-robin&limit=5'
`;
}

/** The `npm run seed` command, with the addresses of this stack if they are not the defaults. */
function seedCommand({ firestoreHost, authHost, baseAddress }: Stack): string {
  const defaults = DEFAULT_PORTS;
  const variables = [
    [firestoreHost, defaults.firestore, `FIRESTORE_EMULATOR_HOST=${firestoreHost}`],
    [authHost, defaults.auth, `FIREBASE_AUTH_EMULATOR_HOST=${authHost}`],
    [new URL(baseAddress).host, defaults.hosting, `HOSTING=${new URL(baseAddress).host}`],
  ] as const;
  const needed = variables.flatMap(([host, port, variable]) =>
    host === `${LOOPBACK}:${port}` ? [] : [variable],
  );
  return [...needed, 'npm run seed'].join(' ');
}
