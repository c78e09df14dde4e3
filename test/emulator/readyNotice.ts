import { demoAccount, featuredAccounts } from '../demo/accounts.ts';
import type { Stack } from './stack.ts';

/** What `npm start` shows when everything runs: where it is, who can sign in, and lines to paste. */
export function readyNotice(stack: Stack): string {
  const { baseAddress, functionsAddress, authHost, firestoreHost } = stack;
  const account = demoAccount('artist-mara-voss');
  const accounts = featuredAccounts
    .map(({ email, password, note }) => `    ${email.padEnd(32)} ${password}   ${note}`)
    .join('\n');
  const signIn = `http://${authHost}/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=demo`;
  return `
  The service runs. Ctrl-C stops it; changes in functions/src are picked up by themselves.

  API reference    ${new URL(baseAddress).origin}
  Base address     ${baseAddress}
  Each function    ${functionsAddress}/flash-listByArtist
  Auth emulator    http://${authHost}
  Firestore        ${firestoreHost}

  Demo accounts
${accounts}

  Try it
    curl ${baseAddress}/artists
    curl '${baseAddress}/flash/artist/${account.uid}/paginated?limit=5'

  Signed in
    TOKEN=$(curl -s '${signIn}' -H 'Content-Type: application/json' \\
      -d '{"email":"${account.email}","password":"${account.password}","returnSecureToken":true}' \\
      | node -pe 'JSON.parse(require("fs").readFileSync(0)).idToken')
    curl -H "Authorization: Bearer $TOKEN" '${baseAddress}/conversations/get-messages?conversationId=conversation-mara-robin&limit=5'
`;
}
