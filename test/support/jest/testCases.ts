/** True if all cases run (`TEST_CASES=all`), as in `.ci/run`. Otherwise, slow cases that resemble others are omitted. */
export const runsAllCases = process.env.TEST_CASES === 'all';

/** Returns the rows of a table of tests that run: all, or those that are not marked as `slow`. */
export function selectCases<Row extends object>(
  rows: readonly (Row & { readonly slow?: true })[],
): readonly Row[] {
  return rows.filter(({ slow }) => runsAllCases || slow === undefined);
}
