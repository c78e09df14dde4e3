import { declaredParams } from 'firebase-functions/params';
import './parameters.ts';

/** The entry of a parameter in the manifest. */
interface Declared {
  readonly name: string;
  readonly options: {
    readonly default?: unknown;
    readonly input?: { readonly text?: { readonly validationRegex: string } };
  };
}
const declared = declaredParams as unknown as readonly Declared[];

const NO_INTEGERS = ['', '-1', '+1', '1.0', '1e1', '0x1', ' 1', '1\n', '１', 'NaN'];
const integers = (min: number, max: number) =>
  [
    [String(min), String(max)],
    [...NO_INTEGERS, String(min - 1), String(max + 1), `${max}0`, `1${max}`],
  ] as const;

/** Valid and invalid texts of each parameter. */
const TEXTS: Readonly<Record<string, readonly [readonly string[], readonly string[]]>> = {
  REGION: [['europe-west1'], ['', 'europe-west', 'Europe-west1']],
  DATABASE_ID: [
    ['eu-1', 'a'.repeat(63)],
    ['', 'eu1', 'a'.repeat(64), 'A/b-c'],
  ],
  MIN_INSTANCES: integers(0, 1000),
  MAX_INSTANCES: integers(1, 1000),
  CONCURRENCY: integers(1, 250),
  SERVICE_ACCOUNT: [
    ['functions@', 'functions@project.iam.gserviceaccount.com'],
    ['functions', 'functions@example.com'],
  ],
  DEADLINE_SECONDS: integers(1, 30),
  USER_REQUESTS_PER_MINUTE: integers(0, 1_000_000),
  ALLOWED_ORIGINS: [
    [
      'https://a.example, *',
      'https://a.example, http://a:5000',
      'http://[::1]:80',
      'capacitor://localhost',
      'ionic://localhost,null',
      'tauri://localhost:1420, app://Obsidian.md',
      'moz-extension://0b5c0b3e-4f6d-4b1c-9a57-1d7a3f0c1a2b',
    ],
    [
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
  ],
  CHECK_REVOKED: [['true'], ['', 'yes']],
  LOG_CALLERS: [['true'], ['', 'yes']],
  APP_CHECK: [
    ['monitor', 'enforce'],
    ['', 'Enforce'],
  ],
};

/** Loads the parameters in an environment with these variables, and checks them. */
async function start(variables: Readonly<Record<string, string>>) {
  jest.resetModules();
  jest.replaceProperty(process, 'env', { ...process.env, ...variables });
  const parameters = await import('./parameters.ts');
  parameters.assertParameters();
  return parameters;
}

test.each(declared)(
  '$name: a process starts with its default or another valid value, and with no invalid one',
  async ({ name, options }) => {
    const [valid = [], invalid = []] = TEXTS[name] ?? [];
    const accepted = [String(options.default), ...valid];
    const startError = async (value: string) =>
      start({ MAX_INSTANCES: '1000', [name]: value }).then(
        () => 'none',
        (error: unknown) => String(error),
      );

    for (const value of accepted) expect([value, await startError(value)]).toEqual([value, 'none']);
    for (const value of invalid) {
      expect(await startError(value)).toContain(`${name}=${value} is invalid. Allowed: `);
    }
    // The CLI must let pass what is valid.
    const pattern = new RegExp(options.input?.text?.validationRegex ?? '');
    expect(accepted.filter((text) => !pattern.test(text))).toEqual([]);
  },
);

test('a process does not start with more minimum than maximum instances', async () => {
  await start({ MIN_INSTANCES: '10', MAX_INSTANCES: '10' });

  await expect(start({ MIN_INSTANCES: '11', MAX_INSTANCES: '10' })).rejects.toThrow(
    'MIN_INSTANCES=11 is above MAX_INSTANCES=10.',
  );
});

test('a process starts with the values of its environment, and defaults for the others', async () => {
  const { deadlineSeconds, userRequestsPerMinute } = await start({ DEADLINE_SECONDS: '3' });

  expect([deadlineSeconds.value(), userRequestsPerMinute.value()]).toEqual([3, 300]);
});

test('the error names every invalid parameter', async () => {
  const starting = start({ DEADLINE_SECONDS: '31', LOG_CALLERS: 'yes' });

  await expect(starting).rejects.toThrow(
    'DEADLINE_SECONDS=31 is invalid. Allowed: an integer from 1 to 30.\nLOG_CALLERS=yes is invalid. Allowed: true or false.',
  );
});
