import { TestEnvironment } from 'jest-environment-node';

/** The part of jest-circus' events that is needed here. */
interface TestEvent {
  readonly name: string;
  readonly test?: { mode?: 'skip' | 'todo' | 'only' | null };
}

/** Node, in which the tests of a file after one that fails are skipped: a mutant need be noticed only once. */
export default class FirstFailureEnvironment extends TestEnvironment {
  #hasFailed = false;

  handleTestEvent({ name, test }: TestEvent): void {
    if (name === 'test_fn_failure' || name === 'hook_failure') this.#hasFailed = true;
    if (name === 'test_start' && test !== undefined && this.#hasFailed) test.mode = 'skip';
  }
}
