import { declaredParams } from 'firebase-functions/params';
import {
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

/** The settings, their defaults, and texts with the value they have; or with nothing, if they are invalid. */
const SETTINGS: [string, Setting<unknown>, unknown, [string, unknown?][]][] = [
  ['DEADLINE_SECONDS', deadlineSeconds, 10, [['3', 3], ['0'], ['31'], ['10 s'], ['1e1'], ['']]],
  ['PUBLIC_CACHE_SECONDS', publicCacheSeconds, 300, [['0', 0], ['86401']]],
  ['PAGE_CACHE_SECONDS', pageCacheSeconds, 10, [['86400', 86_400], ['-1']]],
  ['USER_REQUESTS_PER_MINUTE', userRequestsPerMinute, 300, [['none'], ['1000001']]],
  [
    'DATABASE_ID',
    databaseId,
    '(default)',
    [['eu-1', 'eu-1'], [''], ['default'.repeat(10)], ['A/b']],
  ],
  ['CHECK_REVOKED', checkRevoked, false, [['true', true], [''], ['yes']]],
  ['LOG_CALLERS', logCallers, false, [['true', true], ['yes']]],
  ['APP_CHECK', appCheck, 'off', [['enforce', 'enforce'], ['Enforce']]],
  [
    'ALLOWED_ORIGINS',
    allowedOrigins,
    '*',
    [
      ['https://a.example, *', '*'],
      ['https://a.example, http://a:5000', ['https://a.example', 'http://a:5000']],
      ...['', 'a.example', 'https://a.example/', 'https://A.example', 'https://a.example,'].map(
        (text): [string] => [text],
      ),
    ],
  ],
];

test.each(SETTINGS)('%s has its deployed value, or a default', (...row) => {
  const [name, setting, usual, texts] = row;
  const valueOf = (text: string) => {
    process.env[name] = text;
    try {
      return setting.value();
    } catch (error) {
      return (error as Error).message;
    }
  };
  const refusal = `The deployed value of the parameter ${name} is invalid.`;

  Reflect.deleteProperty(process.env, name);
  expect(setting.value()).toBe(usual);
  expect(texts.map(([text]) => valueOf(text))).toEqual(texts.map(([, value]) => value ?? refusal));
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
    expect(integers).toHaveLength(7);
  });

  test.each(integers)('accepts for %s only integers from %i to %i', (_name, min, max, pattern) => {
    const wrong = [];
    // All allowed integers and their neighbours.
    for (let value = -100; value <= 1.1 * max + 100; value += 1) {
      if (pattern.test(String(value)) !== (value >= min && value <= max)) wrong.push(value);
    }
    const texts = ['', ' ', '-', '-1', '+1', '1.0', '1,0', '1e1', '0x1', '1 ', ' 1', '1\n', '１'];
    const beyond = [10, 100, 1e6, 1e9, 1e21].map((factor) => String(max * factor));
    // Other spellings that it may accept mean the same number.
    const spelled = ['0', '00', '000000'].map((zeros) => `${zeros}${max}`);

    expect(wrong).toEqual([]);
    const accepted = (text: string) => pattern.test(text);
    expect([...texts, 'NaN', ...beyond, `${max}0`, `1${max}`].filter(accepted)).toEqual([]);
    expect(spelled.filter(accepted).filter((text) => Number(text) !== max)).toEqual([]);
  });

  test.each(declared.map((parameter) => [parameter.name, parameter] as const))(
    'accepts the default of %s',
    (name, { options }) => {
      const check = checks.find((each) => each.name === name);

      expect(options.default).toBeDefined();
      expect(String(options.default)).toMatch(new RegExp(check?.validationRegex ?? ''));
    },
  );
});
