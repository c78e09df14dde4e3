import { logger } from 'firebase-functions/logger';
import { FirestoreError } from '@tattoo-marketplace/firestore-rest';
import { unavailableError } from '../errors.ts';
import { RequestContext } from './requestContext.ts';
import { reportError } from './requestLog.ts';

/** The module, loaded anew with the variables of now, and what it writes. */
async function reloaded() {
  jest.resetModules();
  const { logRequest } = await import('./requestLog.ts');
  const sdk = await import('firebase-functions/logger');
  return { logRequest, write: jest.spyOn(sdk.logger, 'write').mockReturnValue() };
}

test.each([
  [200, 'INFO', { K_SERVICE: 'flash-reorder', FUNCTION_TARGET: 'flash.reorder' }, 'flash-reorder'],
  [404, 'INFO', { FUNCTION_TARGET: 'flash.reorder' }, 'flash.reorder'],
  [429, 'WARNING', {}, 'unknown'],
  [500, 'ERROR', {}, 'unknown'],
])(
  'a line with status %i has the severity %s, and with the variables %j it names the function %s',
  async (...row) => {
    const [status, severity, variables, name] = row;
    Object.assign(process.env, variables);
    const { logRequest, write } = await reloaded();

    const request = { method: 'GET', path: '/flash', status };
    logRequest(request, 1.23456, new RequestContext());

    for (const variable of Object.keys(variables)) Reflect.deleteProperty(process.env, variable);
    expect(write.mock.lastCall?.[0]).toMatchObject({
      severity,
      function: name,
      latencyMs: 1.235,
      httpRequest: { latency: '0.001235s' },
    });
  },
);

test.each([
  ['true', 'Why.'],
  [undefined, undefined],
])('with FUNCTIONS_EMULATOR %s a line has the message %s', async (isLocal, message) => {
  if (isLocal) process.env.FUNCTIONS_EMULATOR = isLocal;
  const { logRequest, write } = await reloaded();

  const request = { method: 'GET', path: '/flash', status: 400 };
  logRequest({ ...request, error: new Error('Why.') }, 1, new RequestContext());

  Reflect.deleteProperty(process.env, 'FUNCTIONS_EMULATOR');
  expect(write.mock.lastCall?.[0].refusal).toBe(message);
});

test.each([
  ['a fault', 500, 'error', (why: string) => new Error(why)],
  ['a rejected token', 503, 'error', (why: string) => new FirestoreError('UNAUTHENTICATED', why)],
  ['a temporary failure', 503, 'warn', unavailableError],
] as const)('%s shared by several requests is logged once', (_what, status, level, newError) => {
  const report = jest.spyOn(logger, level).mockImplementation();
  const shared = newError('No.');

  for (const error of [shared, shared, newError('Another.')]) {
    reportError({ error, method: 'GET', path: '/flash', status }, new RequestContext());
  }

  expect(report).toHaveBeenCalledTimes(2);
});
