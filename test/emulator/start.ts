/**
 * `npm start`: the whole service on this machine, with demo data, until Ctrl-C.
 */
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { writeDemoData } from './demo/write.ts';
import { shownLine } from './logLines.ts';
import { portsAt } from './ports.ts';
import { readyNotice } from './readyNotice.ts';
import { startStack } from './stack.ts';
import { warmUp } from './warmUp.ts';

const PROJECT_ID = 'demo-tattoo';
const USAGE = `npm start -- [--port-offset N] [--official-firestore] [--verbose]

  --port-offset N       use Firebase's default ports plus N
  --official-firestore  use Google's Firestore emulator, which needs Java: for the Admin SDK's Firestore, and triggers
  --verbose             print the whole output of the emulators and functions`;
/** The highest port is 65535; Auth has the highest default port. */
const MAX_OFFSET = 65_535 - 9_099;

const began = performance.now();

function say(step: string): void {
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`[${seconds.padStart(5)} s] ${step}`);
}

interface StartOptions {
  readonly portOffset: number;
  readonly isOfficial: boolean;
  readonly isVerbose: boolean;
}

/** Parses the command line; throws if it is invalid. */
function startOptions(): StartOptions {
  const { values } = parseArgs({
    options: {
      'port-offset': { type: 'string', default: '0' },
      'official-firestore': { type: 'boolean', default: false },
      verbose: { type: 'boolean', default: false },
    },
  });
  const portOffset = Number(values['port-offset']);
  if (!Number.isInteger(portOffset) || portOffset < 0 || portOffset > MAX_OFFSET) {
    throw new Error(`--port-offset must be a number from 0 to ${MAX_OFFSET}.`);
  }
  return { portOffset, isOfficial: values['official-firestore'], isVerbose: values.verbose };
}

async function serveUntil(signal: AbortSignal, options: StartOptions): Promise<void> {
  const print = (line: string) => {
    const shown = options.isVerbose ? line : shownLine(line);
    if (shown !== undefined) console.log(shown);
  };
  const stack = await startStack({
    projectId: PROJECT_ID,
    ports: portsAt(options.portOffset),
    officialFirestore: options.isOfficial,
    watch: true,
    signal,
    onStep: say,
    onLog: print,
  });
  try {
    say('Writing the demo data');
    await writeDemoData(stack);
    say('Ready');
    console.log(readyNotice(stack));
    void warmUp(stack, signal);
    const ended = signal.aborted || (await Promise.race([once(signal, 'abort'), stack.failed]));
    if (typeof ended === 'string') throw new Error(ended);
    say('Stopping');
  } finally {
    await stack.stop();
  }
}

// Ctrl-C, `kill`, and a closed terminal.
const interruption = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => {
    interruption.abort(new Error(`Interrupted by ${name}.`));
  });
}
const { signal } = interruption;
try {
  await serveUntil(signal, startOptions());
  say('Stopped; every port is free again');
} catch (error) {
  if (signal.aborted) {
    say('Stopped before it was ready');
  } else {
    console.error(error instanceof Error ? error.message : error);
    if (isUsageError(error)) console.error(`\n${USAGE}`);
    process.exitCode = 1;
  }
}

function isUsageError(error: unknown): boolean {
  const { code = '' } = error as { code?: string };
  return code.startsWith('ERR_PARSE_ARGS');
}
