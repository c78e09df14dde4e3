import { buildFunctionsToTempFolder } from '../../../dev/functionsBuild.ts';
import { BUILD_VARIABLE } from '../processes/testBuild.ts';

type Build = Awaited<ReturnType<typeof buildFunctionsToTempFolder>>;

declare global {
  /** The build of this test run, from global setup to global teardown. */
  var testBuild: Build | undefined;
}

/** Jest's global setup: builds the functions once for all tests that serve them in processes of their own. */
export default async function setup(): Promise<void> {
  globalThis.testBuild = await buildFunctionsToTempFolder();
  process.env[BUILD_VARIABLE] = globalThis.testBuild.folder;
}
