import './startStack.ts';

/** Jest's global teardown: stops what the global setup started. */
export default async function teardown(): Promise<void> {
  await globalThis.testStack?.stop();
}
