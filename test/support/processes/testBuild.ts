/** The environment variable in which the global setup passes the folder of the built functions to the tests. */
export const BUILD_VARIABLE = 'TEST_BUILD';

/** Returns the folder of the functions that were built for this test run. */
export function getTestBuild(): string {
  const folder = process.env[BUILD_VARIABLE];
  if (folder === undefined)
    throw new Error('The functions are not built: is this file named *.process.test.ts?');
  return folder;
}
