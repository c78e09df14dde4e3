import Sequencer from '@jest/test-sequencer';

type Tests = Parameters<Sequencer['sort']>[0];

/**
 * Runs the files that start processes or need the stack before those that run in process. They take longest, and one that
 * starts last runs alone. Jest sorts by the durations of the last run, but by the sizes of files if there was none.
 */
export default class SlowFilesFirst extends Sequencer {
  override async sort(tests: Tests): Promise<Tests> {
    const isFast = ({ context }: Tests[number]) =>
      context.config.displayName?.name === 'in-process';
    const sorted = await super.sort(tests);
    return sorted.sort((a, b) => Number(isFast(a)) - Number(isFast(b)));
  }
}
