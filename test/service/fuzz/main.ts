/**
 * `npm run fuzz -- [--requests N] [--seed N] [--path P]`: a long run of test/service/fuzz/fuzz.test.ts. A failure
 * prints the seed and the path that reproduce it.
 */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '5000' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    path: { type: 'string' },
  },
});
console.log(`Sending ${values.requests} requests, seed ${values.seed}`);
const jest = spawn(
  process.execPath,
  [
    join(process.cwd(), 'node_modules/jest/bin/jest.js'),
    ...['--runInBand', '--selectProjects', 'in-process', '--', 'test/service/fuzz/fuzz.test.ts'],
  ],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      FUZZ_REQUESTS: values.requests,
      FUZZ_SEED: values.seed,
      ...(values.path !== undefined && { FUZZ_PATH: values.path }),
    },
  },
);
jest.on('close', (code) => {
  process.exitCode = code ?? 1;
});
