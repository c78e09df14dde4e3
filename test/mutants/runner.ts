/**
 * Jest's test runner for `npm run mutants`. The first run has no mutant: it notes how long each test file takes, and which
 * tests it has. A run with a mutant takes only the files that have one of the tests named, the quickest first, and stops
 * at the first file that fails: Stryker itself would load every file for every mutant.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import TestRunner, { type Test, type TestRunnerOptions, type TestWatcher } from 'jest-runner';

/** A test file in the first run. */
interface Noted {
  readonly ms: number;
  readonly tests: readonly string[];
}

export default class MutantRunner extends TestRunner {
  readonly #notes = join(this._globalConfig.rootDir, 'reports-of-first-run.json');

  override async runTests(
    tests: Test[],
    watcher: TestWatcher,
    options: TestRunnerOptions,
  ): Promise<void> {
    const isFirst = process.env.__STRYKER_ACTIVE_MUTANT__ === undefined;
    const noted: Record<string, Noted> = {};
    const failed: string[] = [];
    this.on('test-file-success', ([{ path }, { numFailingTests, perfStats, testResults }]) => {
      noted[path] = { ms: perfStats.runtime, tests: testResults.map(({ fullName }) => fullName) };
      if (numFailingTests > 0) failed.push(path);
    });
    this.on('test-file-failure', ([{ path }]) => {
      failed.push(path);
    });
    for (const test of isFirst ? tests : this.#quickestFirst(tests)) {
      await super.runTests([test], watcher, options);
      if (failed.length > 0 && !isFirst) break;
    }
    if (isFirst) writeFileSync(this.#notes, JSON.stringify(noted));
  }

  /** The files that have a test to run. */
  #quickestFirst(tests: readonly Test[]): Test[] {
    const noted = JSON.parse(readFileSync(this.#notes, 'utf8')) as Readonly<Record<string, Noted>>;
    // Without a pattern all tests are to be run.
    const named = new RegExp(this._globalConfig.testNamePattern ?? '', 'i');
    return tests
      .filter(({ path }) => noted[path]?.tests.some((name) => named.test(name)))
      .sort((one, other) => (noted[one.path]?.ms ?? 0) - (noted[other.path]?.ms ?? 0));
  }
}
