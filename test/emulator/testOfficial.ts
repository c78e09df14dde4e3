/**
 * `npm run test:official`: runs the emulator tests on Google's Firestore emulator. Passes arguments on to jest.
 */
import { join } from 'node:path';
import { startChild } from './childProcess.ts';
import { aborted, interruption } from './interruption.ts';
import { findOfficialFirestore, startOfficialFirestore } from './officialFirestore.ts';
import { freePortList, LOOPBACK } from './ports.ts';
import { ROOT } from './root.ts';

async function runTests(signal: AbortSignal): Promise<number | string> {
  const official = await findOfficialFirestore();
  const [port = 0] = await freePortList(1);
  const address = `${LOOPBACK}:${port}`;
  const firestore = await startOfficialFirestore(official, port);
  try {
    console.log(`Testing on Google’s Firestore emulator ${official.origin}.`);
    const jest = startChild(
      process.execPath,
      [
        join(ROOT, 'node_modules/jest/bin/jest.js'),
        ...process.argv.slice(2),
        ...['--selectProjects', 'emulator', 'rules'],
      ],
      {
        cwd: ROOT,
        env: { FIRESTORE_EMULATOR_HOST: address },
        onLine: (line) => {
          console.log(line);
        },
      },
    );
    await Promise.race([jest.ended, aborted(signal)]);
    await jest.stop();
    return await jest.ended;
  } finally {
    await firestore.stop();
  }
}

try {
  const end = await runTests(interruption());
  process.exitCode = end === 0 ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
