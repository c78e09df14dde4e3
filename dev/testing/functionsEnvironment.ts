import functionsTest from 'firebase-functions-test';

/** Sets the project and the parameters of the functions that a test file serves in its process. Each file has its own environment. */
export function useFunctionsEnvironment(
  projectId: string,
  parameters: Readonly<Record<string, string>> = {},
): void {
  beforeAll(() => {
    functionsTest({ projectId });
    Object.assign(process.env, parameters);
  });
}
