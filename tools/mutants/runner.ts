/**
 * The jest runner of `npm run mutants`. Stryker loads every test file for every mutant; this runs only the files that
 * have one of the requested tests, the quickest first, and stops after the first file that fails. The first run is
 * without a mutant, and records the tests and the duration of each file.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import TestRunner, { type Test, type TestRunnerOptions, type TestWatcher } from 'jest-runner';

/** What the first run recorded of a test file. */
interface FileRun {
  readonly ms: number;
  readonly tests: readonly string[];
}

export default class MutantRunner extends TestRunner {
  readonly #firstRun = join(this._globalConfig.rootDir, 'first-run.json');

  override async runTests(
    tests: Test[],
    watcher: TestWatcher,
    options: TestRunnerOptions,
  ): Promise<void> {
    const isFirst = process.env.__STRYKER_ACTIVE_MUTANT__ === undefined;
    const runs: Record<string, FileRun> = {};
    const failed: string[] = [];
    this.on('test-file-success', ([{ path }, { numFailingTests, perfStats, testResults }]) => {
      runs[path] = { ms: perfStats.runtime, tests: testResults.map(({ fullName }) => fullName) };
      if (numFailingTests > 0) failed.push(path);
    });
    this.on('test-file-failure', ([{ path }]) => {
      failed.push(path);
    });
    for (const test of isFirst ? tests : this.#quickestFirst(tests)) {
      await super.runTests([test], watcher, options);
      if (failed.length > 0 && !isFirst) break;
    }
    if (isFirst) writeFileSync(this.#firstRun, JSON.stringify(runs));
  }

  /** The files that have a requested test. */
  #quickestFirst(tests: readonly Test[]): Test[] {
    const runs = JSON.parse(readFileSync(this.#firstRun, 'utf8')) as Readonly<
      Record<string, FileRun>
    >;
    // Without a pattern, all tests are requested.
    const requested = new RegExp(this._globalConfig.testNamePattern ?? '', 'i');
    return tests
      .filter(({ path }) => runs[path]?.tests.some((name) => requested.test(name)))
      .sort((one, other) => (runs[one.path]?.ms ?? 0) - (runs[other.path]?.ms ?? 0));
  }
}
