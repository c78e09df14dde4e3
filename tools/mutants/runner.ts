/**
 * The jest runner of `npm run mutants`: runs the quickest test files first, and stops after the first file that fails.
 * jest's own option for that, `bail`, does not work in Stryker.
 */
import TestRunner, { type Test, type TestRunnerOptions, type TestWatcher } from 'jest-runner';

export default class MutantRunner extends TestRunner {
  override async runTests(
    tests: Test[],
    watcher: TestWatcher,
    options: TestRunnerOptions,
  ): Promise<void> {
    let failures = 0;
    this.on('test-file-success', ([, { numFailingTests }]) => {
      failures += numFailingTests;
    });
    this.on('test-file-failure', () => {
      failures += 1;
    });
    // jest remembers how long each took.
    tests.sort((one, other) => (one.duration ?? 0) - (other.duration ?? 0));
    for (const test of tests) {
      await super.runTests([test], watcher, options);
      if (failures > 0) break;
    }
  }
}
