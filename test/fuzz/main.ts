/**
 * `npm run fuzz -- [--requests N | --histories N [--faults]] [--seed N] [--path P]`: a long run of random requests
 * (test/fuzz), or of random histories that the contract explains (test/contract), on the built functions
 * while faults strike. A failure prints the seed and the path that reproduce it.
 */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '5000' },
    histories: { type: 'string' },
    faults: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    path: { type: 'string' },
  },
});
const { requests, histories, faults, seed, path } = values;
const [project, file] = faults
  ? ['deployed', 'contract/faults.deployed.test.ts']
  : ['in-process', histories === undefined ? 'fuzz/fuzz.test.ts' : 'contract/contract.test.ts'];
console.log(
  `Sending ${histories ? `${histories} histories` : `${requests} requests`}, seed ${seed}`,
);
const jest = spawn(
  process.execPath,
  [
    join(process.cwd(), 'node_modules/jest/bin/jest.js'),
    ...['--runInBand', '--selectProjects', project],
    ...['--testNamePattern', 'every answer|every generated', '--', `test/${file}`],
  ],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      ...(histories === undefined ? { FUZZ_REQUESTS: requests } : { FUZZ_HISTORIES: histories }),
      FUZZ_SEED: seed,
      ...(path !== undefined && { FUZZ_PATH: path }),
    },
  },
);
jest.on('close', (code) => {
  process.exitCode = code ?? 1;
});
