/**
 * `npm run test:contract-mutants -- [--faults | --unit | --check] [NAME…]`: puts each bug of mutants.ts, or those whose names start with these, into a
 * copy of the repository, and prints whether the contract finds it; `--faults`: under faults; `--unit`: whether other in-process
 * tests do. A mutant whose text the source does not have is an error: update mutants.ts.
 */
import '../friendlyErrors.ts';
import { globSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { copyRepository } from '../../dev/repositoryCopy.ts';
import { runScript } from '../deployTest/commands.ts';
import { MUTANTS, type Mutant } from './mutants.ts';

const CONTRACT = [
  '--selectProjects',
  'in-process',
  '--testPathPatterns',
  'test/contract/contract.test.ts',
  '-t',
  'linearizable',
];
const FAULTS = ['--selectProjects', 'process', '--testPathPatterns', 'test/contract/faults'];
const UNIT = [
  '--selectProjects',
  'in-process',
  '--testPathPatterns',
  'packages/(collections|firestore-rest)/',
];
const SOURCES = '{functions,packages/{collections,endpoints,firestore-rest}}/src/**/*.ts';

const { values, positionals } = parseArgs({
  options: { faults: { type: 'boolean' }, unit: { type: 'boolean' }, check: { type: 'boolean' } },
  allowPositionals: true,
});
const tests = values.faults ? FAULTS : values.unit ? UNIT : CONTRACT;
const mutants = MUTANTS.filter(
  ({ name, faults }) =>
    (positionals.length > 0 || !values.faults || faults) &&
    (positionals.length === 0 || positionals.some((start) => name.startsWith(start))),
);

const folder = await copyRepository('mutants');
const sources = globSync(SOURCES, { cwd: folder }).filter((path) => !path.endsWith('.test.ts'));
const counts = new Map<string, number>();
try {
  for (const mutant of mutants) {
    const result = await resultOf(mutant);
    counts.set(result, (counts.get(result) ?? 0) + 1);
    console.log(`${result.padEnd(8)} ${mutant.name}`);
  }
} finally {
  await rm(folder, { recursive: true });
}
console.log([...counts].map(([result, count]) => `${count} ${result}`).join(', '));
if (counts.has('ERROR')) process.exitCode = 1;

/** Returns whether the tests fail with a mutant. */
async function resultOf({
  in: part = '',
  edits,
}: Mutant): Promise<'found' | 'survived' | 'applies' | 'ERROR'> {
  const originals = new Map<string, string>();
  try {
    for (const [text, replacement] of edits) {
      // Any space between tokens matches any other.
      const tokens = text.split(/\s+/).map((token) => RegExp.escape(token));
      const pattern = new RegExp(tokens.join('\\s+'), 'g');
      const places = sources
        .filter((path) => path.includes(part))
        .map((path) => ({
          path: join(folder, path),
          code: readFileSync(join(folder, path), 'utf8'),
        }))
        .flatMap(({ path, code }) =>
          [...code.matchAll(pattern)].map((match) => ({ path, code, match })),
        );
      const [place] = places;
      if (place === undefined || places.length > 1) {
        console.log(`The source has this text ${places.length} times: ${text}`);
        return 'ERROR';
      }
      const {
        path,
        code,
        match: {
          0: { length },
          index,
        },
      } = place;
      if (!originals.has(path)) originals.set(path, code);
      await writeFile(path, code.slice(0, index) + replacement + code.slice(index + length));
    }
    if (values.check) return 'applies';
    const jest = join(folder, 'node_modules/jest/bin/jest.js');
    const { output } = await runScript(
      folder,
      [jest, '-c', 'jest.config.js', ...tests],
      process.env,
    );
    if (/^Tests: .*failed/m.test(output)) return 'found';
    if (/^Tests: .*passed/m.test(output)) return 'survived';
    console.log(output);
    return 'ERROR';
  } finally {
    for (const [path, code] of originals) await writeFile(path, code);
  }
}
