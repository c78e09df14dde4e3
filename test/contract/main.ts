/** `npm run fuzz`: a long run of random histories that the contract explains. */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { readOptions } from '../../dev/commandLine.ts';

const {
  histories = '1000',
  faults = false,
  seed = String(randomInt(2 ** 31)),
  path,
} = readOptions('npm run fuzz -- [OPTIONS]', {
  histories: { type: 'string', value: 'N', help: 'how many, by default 1000' },
  faults: { type: 'boolean', help: 'on the built functions, while faults strike' },
  seed: { type: 'string', value: 'N', help: 'that a failure printed' },
  path: { type: 'string', value: 'P', help: 'that a failure printed' },
});
console.log(`Playing ${histories} histories, seed ${seed}`);
const jest = spawn(
  process.execPath,
  [
    join(process.cwd(), 'node_modules/jest/bin/jest.js'),
    ...['--runInBand', '--selectProjects', faults ? 'deployed' : 'in-process'],
    // It plays as many histories as it is told to, and then looks for a simpler one.
    ...['--testTimeout', String(24 * 60 * 60_000)],
    ...['--testNamePattern', 'every answer', '--', 'test/contract'],
  ],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      FUZZ_HISTORIES: histories,
      FUZZ_SEED: seed,
      ...(path !== undefined && { FUZZ_PATH: path }),
    },
  },
);
jest.on('close', (code) => {
  process.exitCode = code ?? 1;
});
