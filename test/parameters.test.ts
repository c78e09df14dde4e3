import { declaredParams } from 'firebase-functions/params';
import {
  addressRequestsPerMinute,
  allowedOrigins,
  appCheck,
  checkRevoked,
  databaseId,
  deadlineSeconds,
  logCallers,
  pageCacheSeconds,
  publicCacheSeconds,
  userRequestsPerMinute,
  type Setting,
} from '../functions/src/parameters.ts';

const before = { ...process.env };

afterEach(() => {
  process.env = { ...before };
});

test.each<[string, Setting<unknown>, string, unknown]>([
  ['DEADLINE_SECONDS', deadlineSeconds, '3', 3],
  ['PUBLIC_CACHE_SECONDS', publicCacheSeconds, '0', 0],
  ['PAGE_CACHE_SECONDS', pageCacheSeconds, '86400', 86_400],
  ['DATABASE_ID', databaseId, 'eu-1', 'eu-1'],
  ['CHECK_REVOKED', checkRevoked, 'true', true],
  ['LOG_CALLERS', logCallers, 'true', true],
  ['APP_CHECK', appCheck, 'enforce', 'enforce'],
  ['ALLOWED_ORIGINS', allowedOrigins, '*', '*'],
  ['ALLOWED_ORIGINS', allowedOrigins, 'https://a.example, *', '*'],
  [
    'ALLOWED_ORIGINS',
    allowedOrigins,
    'https://a.example, http://localhost:5000',
    ['https://a.example', 'http://localhost:5000'],
  ],
])('%s has its deployed value', (name, setting, text, value) => {
  process.env[name] = text;

  expect(setting.value()).toEqual(value);
});

test.each<[string, Setting<unknown>, unknown]>([
  ['DEADLINE_SECONDS', deadlineSeconds, 10],
  ['PUBLIC_CACHE_SECONDS', publicCacheSeconds, 300],
  ['PAGE_CACHE_SECONDS', pageCacheSeconds, 10],
  ['USER_REQUESTS_PER_MINUTE', userRequestsPerMinute, 300],
  ['ADDRESS_REQUESTS_PER_MINUTE', addressRequestsPerMinute, 0],
  ['DATABASE_ID', databaseId, '(default)'],
  ['CHECK_REVOKED', checkRevoked, false],
  ['LOG_CALLERS', logCallers, false],
  ['APP_CHECK', appCheck, 'off'],
  ['ALLOWED_ORIGINS', allowedOrigins, '*'],
])('%s has a default', (name, setting, value) => {
  Reflect.deleteProperty(process.env, name);

  expect(setting.value()).toBe(value);
});

test.each<[string, Setting<unknown>, string]>([
  ['DEADLINE_SECONDS', deadlineSeconds, '0'],
  ['DEADLINE_SECONDS', deadlineSeconds, '31'],
  ['DEADLINE_SECONDS', deadlineSeconds, '10 s'],
  ['DEADLINE_SECONDS', deadlineSeconds, '1e1'],
  ['DEADLINE_SECONDS', deadlineSeconds, ''],
  ['USER_REQUESTS_PER_MINUTE', userRequestsPerMinute, 'none'],
  ['ADDRESS_REQUESTS_PER_MINUTE', addressRequestsPerMinute, '1000001'],
  ['PAGE_CACHE_SECONDS', pageCacheSeconds, '-1'],
  ['PUBLIC_CACHE_SECONDS', publicCacheSeconds, '86401'],
  ['DATABASE_ID', databaseId, ''],
  ['DATABASE_ID', databaseId, 'default'.repeat(10)],
  ['DATABASE_ID', databaseId, 'A/b'],
  ['CHECK_REVOKED', checkRevoked, ''],
  ['CHECK_REVOKED', checkRevoked, 'yes'],
  ['LOG_CALLERS', logCallers, 'yes'],
  ['APP_CHECK', appCheck, 'Enforce'],
  ['ALLOWED_ORIGINS', allowedOrigins, ''],
  ['ALLOWED_ORIGINS', allowedOrigins, 'app.example.com'],
  ['ALLOWED_ORIGINS', allowedOrigins, 'https://app.example.com/'],
  ['ALLOWED_ORIGINS', allowedOrigins, 'https://app.example.com,https://*.example.com/x'],
])('%s throws if its deployed value is invalid', (name, setting, text) => {
  process.env[name] = text;

  expect(() => setting.value()).toThrow(`The deployed value of the parameter ${name} is invalid.`);
});

/** A parameter as the SDK describes it to the CLI. */
interface DeclaredParameter {
  readonly name: string;
  readonly options: {
    readonly default?: unknown;
    readonly input?: { text?: { validationRegex: string; validationErrorMessage: string } };
  };
  toSpec(): { readonly type: string };
}

describe('the validation of the CLI', () => {
  const declared = declaredParams as unknown as readonly DeclaredParameter[];
  /** The patterns and error messages of the parameters by name. */
  const checks = declared.flatMap(({ name, options: { input } }) =>
    input?.text === undefined ? [] : [{ name, ...input.text }],
  );
  const integers = checks.flatMap(({ name, validationRegex, validationErrorMessage }) => {
    const [, min, max] =
      /^Enter an integer from (\d+) to (\d+)\.$/.exec(validationErrorMessage) ?? [];
    return max === undefined
      ? []
      : [[name, Number(min), Number(max), new RegExp(validationRegex)] as const];
  });

  test('covers every integer parameter', () => {
    const ofIntegers = declared.filter((parameter) => parameter.toSpec().type === 'int');

    expect(integers.map(([name]) => name)).toEqual(ofIntegers.map(({ name }) => name));
    expect(integers.map(([name]) => name).sort()).toEqual([
      'ADDRESS_REQUESTS_PER_MINUTE',
      'CONCURRENCY',
      'DEADLINE_SECONDS',
      'MAX_INSTANCES',
      'MIN_INSTANCES',
      'PAGE_CACHE_SECONDS',
      'PUBLIC_CACHE_SECONDS',
      'USER_REQUESTS_PER_MINUTE',
    ]);
  });

  test.each(integers)(
    'accepts for %s exactly the integers from %i to %i',
    (_name, min, max, pattern) => {
      const wrong = [];
      // All allowed integers and their neighbours.
      for (let value = -100; value <= 1.1 * max + 100; value += 1) {
        if (pattern.test(String(value)) !== (value >= min && value <= max)) wrong.push(value);
      }

      expect(wrong).toEqual([]);
    },
  );

  test.each(integers)(
    'accepts for %s no text that is not an integer from %i to %i',
    (_name, min, max, pattern) => {
      const texts = [
        '',
        ' ',
        '-',
        '-1',
        '+1',
        '1.0',
        '1,0',
        '1e1',
        '0x1',
        '1 ',
        ' 1',
        '1\n',
        '１',
        'NaN',
      ];
      const beyond = [10, 100, 1e6, 1e9, 1e21].map((factor) => String(max * factor));

      expect(
        [...texts, ...beyond, `${max}0`, `1${max}`].filter((text) => pattern.test(text)),
      ).toEqual([]);
      for (const zeros of ['0', '00', '000000']) {
        const text = `${zeros}${max}`;
        // Unusual spellings that it accepts mean the same number.
        expect(pattern.test(text) && (Number(text) < min || Number(text) > max)).toBe(false);
      }
    },
  );

  test.each(declared.map((parameter) => [parameter.name, parameter] as const))(
    'accepts the default of %s',
    (name, { options }) => {
      const check = checks.find((each) => each.name === name);

      expect(options.default).toBeDefined();
      expect(String(options.default)).toMatch(new RegExp(check?.validationRegex ?? ''));
    },
  );
});
