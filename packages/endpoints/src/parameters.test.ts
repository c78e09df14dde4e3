import { declaredParams } from 'firebase-functions/params';
import './parameters.ts';

/** What the manifest says of a parameter. */
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
    ['https://a.example, *', 'https://a.example, http://a:5000', 'http://[::1]:80'],
    ['', 'a.example', 'https://a.example/', 'https://A.example', 'https://a.example,'],
  ],
  CHECK_REVOKED: [['true'], ['', 'yes']],
  LOG_CALLERS: [['true'], ['', 'yes']],
  APP_CHECK: [
    ['monitor', 'enforce'],
    ['', 'Enforce'],
  ],
};

/** Loads the parameters like the CLI does, with these values. */
async function load(variables: Readonly<Record<string, string | undefined>>) {
  jest.resetModules();
  const loading = { ...process.env, FUNCTIONS_CONTROL_API: 'true', ...variables };
  jest.replaceProperty(process, 'env', loading);
  return import('./parameters.ts');
}

test.each(declared)(
  '$name: a deploy accepts its default, and no invalid value',
  async ({ name, options }) => {
    const [valid = [], invalid = []] = TEXTS[name] ?? [];
    const accepted = [String(options.default), ...valid];
    const refusalOf = async (text: string) =>
      load({ MAX_INSTANCES: '1000', [name]: text }).then(
        () => 'none',
        (error: unknown) => String(error),
      );

    for (const text of accepted) expect([text, await refusalOf(text)]).toEqual([text, 'none']);
    for (const text of invalid) {
      expect(await refusalOf(text)).toContain(`${name}=${text} is invalid. Allowed: `);
    }
    // The CLI must let pass what is valid.
    const pattern = new RegExp(options.input?.text?.validationRegex ?? '');
    expect(accepted.filter((text) => !pattern.test(text))).toEqual([]);
  },
);

test('a deploy refuses a minimum of instances above the maximum', async () => {
  await load({ MIN_INSTANCES: '10', MAX_INSTANCES: '10' });

  await expect(load({ MIN_INSTANCES: '11', MAX_INSTANCES: '10' })).rejects.toThrow(
    'MIN_INSTANCES=11 is above MAX_INSTANCES=10.',
  );
});

test.each([
  [undefined, 10],
  ['3', 3],
  ['31', 'Error: DEADLINE_SECONDS=31 is invalid. Allowed: an integer from 1 to 30.'],
])('DEADLINE_SECONDS=%j is parsed as %j at run time', async (deployed, expected) => {
  const variables = { DEADLINE_SECONDS: deployed, FUNCTIONS_CONTROL_API: undefined };
  const { deadlineSeconds } = await load(variables);

  const outcome = await Promise.try(() => deadlineSeconds.value()).catch(String);

  expect(outcome).toBe(expected);
});
