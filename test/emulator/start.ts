/**
 * `npm start`: the whole service on this machine, with demo data, until Ctrl-C.
 */
import { writeDemoData } from '../demo/write.ts';
import { aborted, interruption } from './interruption.ts';
import { DEFAULT_PORTS } from './ports.ts';
import { readyNotice } from './readyNotice.ts';
import { startStack } from './stack.ts';

const PROJECT_ID = 'demo-tattoo';
const began = performance.now();

function say(step: string): void {
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`[${seconds.padStart(5)} s] ${step}`);
}

async function serveUntil(signal: AbortSignal): Promise<void> {
  const stack = await startStack({
    projectId: PROJECT_ID,
    ports: DEFAULT_PORTS,
    watch: true,
    signal,
    onStep: say,
    onLog: console.log,
  });
  try {
    say('Writing the demo data');
    await writeDemoData(stack);
    say('Ready');
    console.log(readyNotice(stack));
    const failure = await Promise.race([aborted(signal), stack.failed]);
    if (failure !== undefined) throw new Error(failure);
    say('Stopping');
  } finally {
    await stack.stop();
  }
}

const signal = interruption();
try {
  await serveUntil(signal);
  say('Stopped; every port is free again');
} catch (error) {
  if (signal.aborted) {
    say('Stopped before it was ready');
  } else {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
