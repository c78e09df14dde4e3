import Sequencer from '@jest/test-sequencer';

type Tests = Parameters<Sequencer['sort']>[0];

/** Those that mostly wait, then those that need processors, then those that need the stack, which starts meanwhile. */
const PROJECTS = ['deployed', 'in-process'];

/** Jest's test sequencer: within a project jest's own order, the longest test files first. */
export default class WaitingTestsFirst extends Sequencer {
  override sort(tests: Tests): Tests {
    const rank = (name = '') => PROJECTS.toReversed().indexOf(name);
    return Array.from(super.sort(tests) as Tests).sort(
      (a, b) => rank(b.context.config.displayName?.name) - rank(a.context.config.displayName?.name),
    );
  }
}
