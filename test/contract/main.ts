/**
 * `npm run fuzz -- [--histories N] [--faults] [--seed N] [--path P]`: a long run of random histories that the contract
 * explains, with `--faults` on the built functions while faults strike. A failure prints the seed and the path that
 * reproduce it.
 */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    histories: { type: 'string', default: '1000' },
    faults: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    path: { type: 'string' },
  },
});
const { histories, faults, seed, path } = values;
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
