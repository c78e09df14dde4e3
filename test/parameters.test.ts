import { declaredParams } from 'firebase-functions/params';
import { validators } from '../functions/src/parameters.ts';

/** What the manifest says of a parameter. */
interface Declared {
  readonly name: string;
  readonly options: {
    readonly default?: unknown;
    readonly input?: { readonly text?: { readonly validationRegex: string } };
  };
}
const declared = declaredParams as unknown as readonly Declared[];

const NO_INTEGERS = [
  '',
  '-',
  '-1',
  '+1',
  '1.0',
  '1,0',
  '1e1',
  '0x1',
  ' 1',
  '1 ',
  '1\n',
  '１',
  'NaN',
];
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
  PUBLIC_CACHE_SECONDS: integers(0, 86_400),
  PAGE_CACHE_SECONDS: integers(0, 86_400),
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

test.each(declared)('$name accepts its default, and no invalid value', ({ name, options }) => {
  const [valid = [], invalid = []] = TEXTS[name] ?? [];
  const accepted = [String(options.default), ...valid];
  const isValid = validators.get(name) ?? (() => undefined);

  expect(accepted.filter((text) => !isValid(text))).toEqual([]);
  expect(invalid.filter((text) => isValid(text) !== false)).toEqual([]);
  // The CLI must let pass what is valid.
  const pattern = new RegExp(options.input?.text?.validationRegex ?? '');
  expect(accepted.filter((text) => !pattern.test(text))).toEqual([]);
});

test.each([
  [undefined, 10],
  ['3', 3],
  ['31', 'Error: The deployed value of the parameter DEADLINE_SECONDS is invalid.'],
])('where %j is deployed, the value is %j', async (deployed, expected) => {
  jest.resetModules();
  jest.replaceProperty(process, 'env', { ...process.env, DEADLINE_SECONDS: deployed });
  const { deadlineSeconds } = await import('../functions/src/parameters.ts');

  const outcome = await Promise.try(() => deadlineSeconds.value()).catch(String);

  expect(outcome).toBe(expected);
});
