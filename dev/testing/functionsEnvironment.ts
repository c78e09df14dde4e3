import functionsTest from 'firebase-functions-test';

/**
 * Sets the project and the parameters of functions that a test file serves in this process, from before its first test
 * until after its last; then restores the environment.
 */
export function functionsEnvironment(
  projectId: string,
  parameters: Readonly<Record<string, string>> = {},
): void {
  const before = Object.keys(parameters).map((name) => [name, process.env[name]] as const);
  let environment: ReturnType<typeof functionsTest> | undefined;

  beforeAll(() => {
    environment = functionsTest({ projectId });
    Object.assign(process.env, parameters);
  });

  afterAll(() => {
    environment?.cleanup();
    for (const [name, value] of before) {
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
  });
}
