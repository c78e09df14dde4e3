import functionsTest from 'firebase-functions-test';

/** Sets the project and the parameters of functions that a test file serves in this process. Each file has its own environment. */
export function useFunctionsEnvironment(
  projectId: string,
  parameters: Readonly<Record<string, string>> = {},
): void {
  beforeAll(() => {
    functionsTest({ projectId });
    Object.assign(process.env, parameters);
  });
}
