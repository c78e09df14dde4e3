/** `npm start`: runs the service on this machine, with demo data, until Ctrl-C. */
import { once } from 'node:events';
import { readFile, watch } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { PROJECT_ID } from './addresses.ts';
import { getDemoAccount, featuredAccounts } from '../demo/accounts.ts';
import { writeDemoData } from '../demo/writeDemoData.ts';
import { parseOptions } from './commandLine.ts';
import { FIREBASE_JSON, parseFirebaseConfig } from './configFiles.ts';
import { formatError } from './formatError.ts';
import { getPortsWithOffset } from './ports.ts';
import { startStack, type Stack } from './stack.ts';

const OPTIONS = {
  'port-offset': { type: 'string', value: 'N', help: "use Firebase's default ports plus N" },
} as const;

const startedAt = performance.now();

function logStep(step: string): void {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`[${seconds.padStart(5)} s] ${step}`);
}

/** Serves until `signal` aborts. Restarts the stack after a change of firebase.json, which the emulators only read at their start. */
async function serveUntilAborted(signal: AbortSignal): Promise<void> {
  const { 'port-offset': portOffset = '0' } = parseOptions('npm start -- [OPTIONS]', OPTIONS);
  while (!signal.aborted) {
    const stack = await startStack({
      projectId: PROJECT_ID,
      ports: getPortsWithOffset(portOffset),
      watch: true,
      signal,
      onStep: logStep,
      onLog: (line) => {
        console.log(line);
      },
    });
    const serving = new AbortController();
    try {
      logStep('Writing the demo data');
      await writeDemoData(stack).catch(async (error: unknown) => {
        throw await findCause(error, stack);
      });
      logStep('Ready');
      console.log(formatStartupBanner(stack, portOffset));
      const reason = await Promise.race([
        waitForAbort(signal),
        stack.failed.then((message) => Promise.reject(new Error(message))),
        waitForConfigChange(serving.signal),
      ]);
      logStep(reason);
    } finally {
      serving.abort();
      await stack.stop();
    }
  }
}

/** The time that emulators take to exit after they have closed their connections, in ms. */
const CRASH_MS = 5_000;

/** Returns the error of a call to the emulators, or that of their crash, which closes connections first. */
async function findCause(error: unknown, stack: Stack): Promise<unknown> {
  const crash = stack.failed.then((message) => new Error(message));
  return Promise.race([crash, delay(CRASH_MS, error, { ref: false })]);
}

async function waitForAbort(signal: AbortSignal): Promise<string> {
  if (!signal.aborted) await once(signal, 'abort');
  return 'Stopping';
}

/** Waits until firebase.json changes to a valid configuration. Prints the error of an invalid one. */
async function waitForConfigChange(signal: AbortSignal): Promise<string> {
  const before = await readFile(FIREBASE_JSON, 'utf8');
  // Watches the folder, because editors replace files.
  for await (const { filename } of watch('.', { signal })) {
    const text =
      filename === FIREBASE_JSON ? await readFile(FIREBASE_JSON, 'utf8').catch(() => '') : '';
    // While an editor writes the file, it may be empty.
    if (text === '' || text === before) continue;
    try {
      parseFirebaseConfig(text);
      return `${FIREBASE_JSON} has changed: starting again`;
    } catch (error) {
      console.log(`Still serving the previous version. ${formatError(error)}`);
    }
  }
  return '';
}

/** Formats the message that the stack is ready: addresses, accounts, and commands to try. */
function formatStartupBanner(
  { baseAddress, functionsAddress, authHost, firestoreHost, isEmbedded }: Stack,
  portOffset: string,
): string {
  const seedOptions = portOffset === '0' ? '' : ` -- --port-offset ${portOffset}`;
  const { origin } = new URL(baseAddress);
  const account = getDemoAccount('artist-mara-voss');
  const accounts = featuredAccounts
    .map(({ email, password, note }) => `    ${email.padEnd(32)} ${password}   ${note}`)
    .join('\n');
  return `
  The service is running. Press Ctrl-C to stop it. It serves changes of the code after a few seconds.

  API reference    ${origin}
  Demo web app     ${origin}/demo/
  Base address     ${baseAddress}
  A function       ${functionsAddress}/artists-list
  Auth emulator    http://${authHost}
  Firestore        http://${firestoreHost}${isEmbedded ? '   (open it in a browser to inspect the documents)' : ''}

  Demo accounts
${accounts}

  Reset the demo data
    npm run seed${seedOptions}

  Try it (signed in: ${origin}/#description/authentication)
    curl "${baseAddress}/flash/artist/${account.uid}/paginated?limit=5"
`;
}

// The signals of Ctrl-C, `kill`, and a closed terminal.
const interruption = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => {
    interruption.abort();
  });
}
// The reader of the output may end first: `npm start | head`.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', () => {
    interruption.abort();
  });
}
const { signal } = interruption;
try {
  await serveUntilAborted(signal);
  logStep('Stopped; every port is free again');
} catch (error) {
  if (signal.aborted) {
    logStep('Stopped before it was ready');
  } else {
    console.error(formatError(error));
    process.exitCode = 1;
  }
}
