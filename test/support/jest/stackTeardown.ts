import './stackSetup.ts';

/** Jest's global teardown: stops the local stack. */
export default async function teardown(): Promise<void> {
  await globalThis.testStack?.stop();
}
