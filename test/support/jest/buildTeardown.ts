import './buildSetup.ts';

/** Jest's global teardown: removes the build of the functions. */
export default async function teardown(): Promise<void> {
  await globalThis.testBuild?.remove();
}
