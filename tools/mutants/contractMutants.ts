/**
 * `npm run test:contract-mutants -- [--faults | --unit | --check] [NAME…]`: puts each bug of mutants.ts into a copy of the
 * repository, and prints whether the contract finds it. NAME is the start of a mutant's name. `--faults` runs the contract under
 * faults, `--unit` runs the tests of the packages, `--check` runs no test: `npm run check` uses it. If a mutant's text is not in
 * the source exactly once, it is an error: update mutants.ts.
 */
import '../friendlyErrors.ts';
import { globSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { copyRepository } from '../../test/support/processes/copyRepository.ts';
import { runScript } from '../deployTest/commands.ts';
import { MUTANTS, type Mutant } from './mutants.ts';

const SOURCES = '{functions,packages/{collections,endpoints,firestore-rest}}/src/**/*.ts';

/** Arguments of jest. */
const TESTS = {
  contract: [
    'test/contract/contract.test.ts',
    '-t',
    'linearizable',
    '--selectProjects',
    'in-process',
  ],
  faults: ['test/contract/faults', '--selectProjects', 'process'],
  unit: ['packages/(collections|firestore-rest)/', '--selectProjects', 'in-process'],
};

type Result = 'found' | 'survived' | 'applies' | 'ERROR';

const { values: options, positionals: names } = parseArgs({
  options: { faults: { type: 'boolean' }, unit: { type: 'boolean' }, check: { type: 'boolean' } },
  allowPositionals: true,
});
const mutants = MUTANTS.filter(({ name, faults = false }) =>
  names.length > 0 ? names.some((start) => name.startsWith(start)) : !options.faults || faults,
);

const folder = await copyRepository('mutants');
const sources = globSync(SOURCES, { cwd: folder }).filter((path) => !path.endsWith('.test.ts'));
const counts = new Map<Result, number>();
try {
  for (const mutant of mutants) {
    const result = await testMutant(mutant);
    counts.set(result, (counts.get(result) ?? 0) + 1);
    if (!options.check || result === 'ERROR') console.log(`${result.padEnd(8)} ${mutant.name}`);
  }
} finally {
  await rm(folder, { recursive: true });
}
console.log([...counts].map(([result, count]) => `${count} ${result}`).join(', '));
if (counts.has('ERROR')) process.exitCode = 1;

/** Applies a mutant, runs the tests, and restores the source. */
async function testMutant(mutant: Mutant): Promise<Result> {
  const originals = new Map<string, string>();
  try {
    for (const [text, replacement] of mutant.edits) {
      const [match, ...others] = findText(text, mutant.in);
      if (match === undefined || others.length > 0) {
        console.log(`The source has this text ${match ? others.length + 1 : 0} times: ${text}`);
        return 'ERROR';
      }
      const { path, code, start, end } = match;
      if (!originals.has(path)) originals.set(path, code);
      await writeFile(path, code.slice(0, start) + replacement + code.slice(end));
    }
    return options.check ? 'applies' : await runTests();
  } finally {
    for (const [path, code] of originals) await writeFile(path, code);
  }
}

/** Finds a text in the sources whose path contains `pathPart`. Any white space matches any other. */
function findText(text: string, pathPart = '') {
  const tokens = text.split(/\s+/).map((token) => RegExp.escape(token));
  const pattern = new RegExp(tokens.join('\\s+'), 'g');
  const paths = sources.filter((source) => source.includes(pathPart));
  return paths.flatMap((source) => {
    const path = join(folder, source);
    const code = readFileSync(path, 'utf8');
    return [...code.matchAll(pattern)].map(({ 0: { length }, index }) => {
      return { path, code, start: index, end: index + length };
    });
  });
}

/** Runs the tests in the copy. */
async function runTests(): Promise<Result> {
  const tests = options.faults ? TESTS.faults : options.unit ? TESTS.unit : TESTS.contract;
  const jest = join(folder, 'node_modules/jest/bin/jest.js');
  const args = [jest, '-c', 'jest.config.js', ...tests];
  const { output } = await runScript(folder, args, process.env);
  if (/^Tests: .*failed/m.test(output)) return 'found';
  if (/^Tests: .*passed/m.test(output)) return 'survived';
  console.log(output);
  return 'ERROR';
}
