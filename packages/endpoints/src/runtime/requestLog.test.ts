import { logger } from 'firebase-functions/logger';
import { outcomeUnknownError, unavailableError } from '../declaration/errors.ts';
import { RequestContext } from './requestContext.ts';
import { reportError, type LoggedRequest } from './requestLog.ts';

const environmentBefore = process.env;

afterEach(() => {
  process.env = environmentBefore;
});

/** Logs a request in an environment with these variables. Returns the log entry. */
async function logInEnvironment(variables: object, request: Partial<LoggedRequest>) {
  process.env = { ...environmentBefore, ...variables };
  jest.resetModules();
  const { logRequest } = await import('./requestLog.ts');
  const sdk = await import('firebase-functions/logger');
  const write = jest.spyOn(sdk.logger, 'write').mockReturnValue();
  const logged = { method: 'GET', path: '/flash', status: 200, ...request };
  logRequest(logged, 1.23456, new RequestContext());
  return write.mock.lastCall?.[0];
}

test.each([
  { status: 200, severity: 'INFO' },
  { status: 404, severity: 'INFO' },
  { status: 429, severity: 'WARNING' },
  { status: 500, severity: 'ERROR' },
])('a request with status $status is logged with the severity $severity', async (row) => {
  const { status, severity } = row;

  expect(await logInEnvironment({}, { status })).toMatchObject({ severity });
});

test.each([
  {
    name: 'K_SERVICE',
    variables: { K_SERVICE: 'flash-reorder', FUNCTION_TARGET: 'flash.reorder' },
    functionName: 'flash-reorder',
  },
  {
    name: 'FUNCTION_TARGET without K_SERVICE',
    variables: { FUNCTION_TARGET: 'flash.reorder' },
    functionName: 'flash.reorder',
  },
  { name: '"unknown" without both', variables: {}, functionName: 'unknown' },
])('the log entry names the function by $name', async ({ variables, functionName }) => {
  expect(await logInEnvironment(variables, {})).toMatchObject({ function: functionName });
});

test('the latency is logged in ms and in Cloud Logging’s format', async () => {
  expect(await logInEnvironment({}, {})).toMatchObject({
    latencyMs: 1.235,
    httpRequest: { latency: '0.001235s' },
  });
});

test.each([
  { name: 'is logged in the emulator', emulator: 'true', message: 'Why.' },
  { name: 'is not logged in production', emulator: undefined, message: undefined },
])('the message of a 4xx error $name', async ({ emulator, message }) => {
  const request = { status: 400, error: new Error('Why.') };

  const entry = await logInEnvironment({ FUNCTIONS_EMULATOR: emulator }, request);

  expect(entry?.rejection).toBe(message);
});

test.each([
  {
    name: 'an internal error',
    status: 500,
    level: 'error',
    createError: (message: string) => new Error(message),
  },
  {
    name: 'a rejected access token',
    status: 503,
    level: 'error',
    createError: (message: string) => unavailableError(message, { logLevel: 'error' }),
  },
  { name: 'a temporary failure', status: 503, level: 'warn', createError: unavailableError },
  { name: 'an unknown outcome', status: 503, level: 'warn', createError: outcomeUnknownError },
] as const)('$name of several requests is logged once', ({ status, level, createError }) => {
  const log = jest.spyOn(logger, level).mockImplementation();
  const sharedError = createError('No.');

  for (const error of [sharedError, sharedError, createError('Another.')]) {
    reportError({ error, method: 'GET', path: '/flash', status }, new RequestContext());
  }

  expect(log).toHaveBeenCalledTimes(2);
});

const IN_PRODUCTION = { K_SERVICE: 'flash-reorder' };

test.each([
  { name: 'of an Error in tests has', error: new Error('No.'), variables: {}, advice: 1 },
  {
    name: 'of an Error in the emulator has',
    error: new Error('No.'),
    variables: { ...IN_PRODUCTION, FUNCTIONS_EMULATOR: 'true' },
    advice: 1,
  },
  {
    name: 'of an Error in production lacks',
    error: new Error('No.'),
    variables: IN_PRODUCTION,
    advice: 0,
  },
  { name: 'of a TypeError lacks', error: new TypeError('No.'), variables: {}, advice: 0 },
])('the log line $name the advice to throw a FieldError', ({ error, variables, advice }) => {
  process.env = { ...environmentBefore, ...variables };
  const log = jest.spyOn(logger, 'error').mockImplementation();

  reportError({ error, method: 'GET', path: '/flash', status: 500 }, new RequestContext());

  const text = expect.stringContaining('a FieldError or a ServiceError') as string;
  expect(log.mock.calls).toEqual([
    [error, ...Array<string>(advice).fill(text), expect.any(Object)],
  ]);
});

test('logs ten requests a second with 401 and 429, and then the number of the others', async () => {
  jest.resetModules();
  const { logRequest } = await import('./requestLog.ts');
  const sdk = await import('firebase-functions/logger');
  const write = jest.spyOn(sdk.logger, 'write').mockReturnValue();
  const warn = jest.spyOn(sdk.logger, 'warn').mockReturnValue();
  const clock = jest.spyOn(performance, 'now').mockReturnValue(5_000);
  const log = (status: number) => {
    logRequest({ method: 'GET', path: '/flash', status }, 1, new RequestContext());
  };

  for (let count = 0; count < 12; count += 1) log(401);
  log(429);
  log(403);
  expect(write).toHaveBeenCalledTimes(11);
  expect(warn).not.toHaveBeenCalled();

  clock.mockReturnValue(6_000);
  log(401);
  log(200);
  expect(write).toHaveBeenCalledTimes(13);
  expect(warn.mock.calls).toEqual([
    [expect.any(String), expect.objectContaining({ omittedRequests: 3 })],
  ]);
});
