import functionsTest from 'firebase-functions-test';

/**
 * Gives the functions that the tests of one file serve in this process their project and their parameters, from before
 * the first test until after the last one: the environment is then as it was.
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
