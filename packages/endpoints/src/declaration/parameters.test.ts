import { declaredParams } from 'firebase-functions/params';
import './parameters.ts';

/** A parameter in the manifest. */
interface ManifestParameter {
  readonly name: string;
  readonly options: {
    readonly default?: unknown;
    readonly input?: { readonly text?: { readonly validationRegex: string } };
  };
}
const manifestParameters = declaredParams as unknown as readonly ManifestParameter[];

interface ExampleValues {
  readonly valid: readonly string[];
  readonly invalid: readonly string[];
}

const NOT_INTEGERS = ['', '-1', '+1', '1.0', '1e1', '0x1', ' 1', '1\n', '１', 'NaN'];

function listIntegerExamples(min: number, max: number): ExampleValues {
  return {
    valid: [String(min), String(max)],
    invalid: [...NOT_INTEGERS, String(min - 1), String(max + 1), `${max}0`, `1${max}`],
  };
}

/** Valid and invalid values of each parameter. */
const EXAMPLES: Readonly<Record<string, ExampleValues>> = {
  REGION: { valid: ['europe-west1'], invalid: ['', 'europe-west', 'Europe-west1'] },
  DATABASE_ID: {
    valid: ['eu-1', 'a'.repeat(63)],
    invalid: ['', 'eu1', 'a'.repeat(64), 'A/b-c'],
  },
  MIN_INSTANCES: listIntegerExamples(0, 1000),
  MAX_INSTANCES: listIntegerExamples(1, 1000),
  CONCURRENCY: listIntegerExamples(1, 250),
  SERVICE_ACCOUNT: {
    valid: [
      'functions@',
      'functions@project.iam.gserviceaccount.com',
      'functions@project.example.com.iam.gserviceaccount.com',
      '123456789012-compute@developer.gserviceaccount.com',
      'project@appspot.gserviceaccount.com',
      'project.example.com@appspot.gserviceaccount.com',
      '123456789012@cloudservices.gserviceaccount.com',
    ],
    invalid: [
      'functions',
      '123@',
      'functions@example.com',
      'a@evilgserviceaccount.com',
      '-a@x.gserviceaccount.com',
    ],
  },
  DEADLINE_SECONDS: listIntegerExamples(1, 30),
  USER_REQUESTS_PER_MINUTE: listIntegerExamples(0, 1_000_000),
  ALLOWED_ORIGINS: {
    valid: [
      'https://a.example, *',
      'https://a.example, http://a:5000',
      'http://[::1]:80',
      'capacitor://localhost',
      'ionic://localhost,null',
      'tauri://localhost:1420, app://Obsidian.md',
      'moz-extension://0b5c0b3e-4f6d-4b1c-9a57-1d7a3f0c1a2b',
    ],
    invalid: [
      '',
      'a.example',
      'https://a.example/',
      'https://A.example',
      'https://a.example,',
      'capacitor://',
      'capacitor:localhost',
      'capacitor://localhost/',
      'Capacitor://localhost',
      'NULL',
    ],
  },
  CHECK_REVOKED: { valid: ['true'], invalid: ['', 'yes'] },
  LOG_CALLERS: { valid: ['true'], invalid: ['', 'yes'] },
  APP_CHECK: { valid: ['monitor', 'enforce'], invalid: ['', 'Enforce'] },
};

/** Loads the parameters in an environment with these variables, and checks them. */
async function loadParameters(variables: Readonly<Record<string, string>>) {
  jest.resetModules();
  jest.replaceProperty(process, 'env', { ...process.env, ...variables });
  const parameters = await import('./parameters.ts');
  parameters.assertParameters();
  return parameters;
}

describe.each(manifestParameters)('$name', ({ name, options }) => {
  const { valid, invalid } = EXAMPLES[name] ?? { valid: [], invalid: [] };
  const validValues = [String(options.default), ...valid];

  test.each(validValues)('may be "%s"', async (value) => {
    await expect(loadParameters({ MAX_INSTANCES: '1000', [name]: value })).resolves.toBeDefined();
  });

  test.each(validValues)('may be "%s" at the prompt of the CLI', (value) => {
    expect(value).toMatch(new RegExp(options.input?.text?.validationRegex ?? ''));
  });

  test.each(invalid)('must not be %j', async (value) => {
    await expect(loadParameters({ MAX_INSTANCES: '1000', [name]: value })).rejects.toThrow(
      `${name}=${value} is invalid. Allowed: `,
    );
  });
});

test('every parameter has examples of valid and invalid values', () => {
  expect(manifestParameters.map(({ name }) => name).sort()).toEqual(Object.keys(EXAMPLES).sort());
});

test('MIN_INSTANCES must not exceed MAX_INSTANCES', async () => {
  await loadParameters({ MIN_INSTANCES: '10', MAX_INSTANCES: '10' });

  await expect(loadParameters({ MIN_INSTANCES: '11', MAX_INSTANCES: '10' })).rejects.toThrow(
    'MIN_INSTANCES=11 is above MAX_INSTANCES=10.',
  );
});

test('a variable of the environment overrides the default', async () => {
  const parameters = await loadParameters({ DEADLINE_SECONDS: '3' });

  expect(parameters.deadlineSeconds.value()).toBe(3);
  expect(parameters.userRequestsPerMinute.value()).toBe(300);
});

test('the error names every invalid parameter', async () => {
  const result = loadParameters({ DEADLINE_SECONDS: '31', LOG_CALLERS: 'yes' });

  await expect(result).rejects.toThrow(
    'DEADLINE_SECONDS=31 is invalid. Allowed: an integer from 1 to 30.\nLOG_CALLERS=yes is invalid. Allowed: true or false.',
  );
});
