import {
  allowedOrigins,
  appCheck,
  checkRevoked,
  deadlineSeconds,
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
  ['CHECK_REVOKED', checkRevoked, 'true', true],
  ['APP_CHECK', appCheck, 'enforce', 'enforce'],
  ['ALLOWED_ORIGINS', allowedOrigins, '*', '*'],
  ['ALLOWED_ORIGINS', allowedOrigins, 'https://a.example, *', '*'],
  [
    'ALLOWED_ORIGINS',
    allowedOrigins,
    'https://a.example, http://localhost:5000',
    ['https://a.example', 'http://localhost:5000'],
  ],
])('%s is read as it was deployed', (name, setting, text, value) => {
  process.env[name] = text;

  expect(setting.value()).toEqual(value);
});

test.each<[string, Setting<unknown>, unknown]>([
  ['DEADLINE_SECONDS', deadlineSeconds, 10],
  ['PUBLIC_CACHE_SECONDS', publicCacheSeconds, 60],
  ['USER_REQUESTS_PER_MINUTE', userRequestsPerMinute, 300],
  ['CHECK_REVOKED', checkRevoked, false],
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
  ['CHECK_REVOKED', checkRevoked, 'yes'],
  ['APP_CHECK', appCheck, 'Enforce'],
  ['ALLOWED_ORIGINS', allowedOrigins, ''],
  ['ALLOWED_ORIGINS', allowedOrigins, 'app.example.com'],
  ['ALLOWED_ORIGINS', allowedOrigins, 'https://app.example.com/'],
  ['ALLOWED_ORIGINS', allowedOrigins, 'https://app.example.com,https://*.example.com/x'],
])('%s that does not fit is no silent default', (name, setting, text) => {
  process.env[name] = text;

  expect(() => setting.value()).toThrow(`The parameter ${name} does not fit.`);
});
