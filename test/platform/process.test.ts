/** How an instance begins and ends; test/service/attack/process has what its requests see of that. */
import { channel } from 'node:diagnostics_channel';

const mockAccessToken = jest.fn().mockResolvedValue('token');
jest.mock('../../functions/src/platform/credentials.ts', () => ({ accessToken: mockAccessToken }));

const close = jest.fn<undefined, [() => void]>();
const closeIdleConnections = jest.fn();
const exit = jest.fn();
const ofFramework = jest.fn();
const environmentBefore = { ...process.env };

beforeEach(() => {
  jest.resetModules();
  jest.useFakeTimers();
  jest.spyOn(process, 'exit').mockImplementation(exit as never);
  for (const mock of [close, closeIdleConnections, exit, ofFramework]) mock.mockReset();
  mockAccessToken.mockClear();
  process.on('SIGTERM', ofFramework);
});

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
  process.removeAllListeners('SIGTERM');
  process.env = { ...environmentBefore };
});

/** Loads the module where the variables say that, and lets two requests begin. */
async function requestsIn(environment: Readonly<Record<string, string>>): Promise<void> {
  Reflect.deleteProperty(process.env, 'K_SERVICE');
  Reflect.deleteProperty(process.env, 'FUNCTIONS_EMULATOR');
  Object.assign(process.env, environment);
  const { prepareProcess } = await import('../../functions/src/platform/process.ts');
  prepareProcess();
  const server = { close, closeIdleConnections };
  for (const url of ['/', '/']) {
    // Other modules listen to the request.
    channel('http.server.request.start').publish({ server, request: { url, headers: {} } });
  }
}

test('an instance fetches an access token first, and ends after its last response', async () => {
  await requestsIn({ K_SERVICE: 'flash-reorder' });
  expect(mockAccessToken).toHaveBeenCalledTimes(1);
  expect(process.listenerCount('SIGTERM')).toBe(1);
  process.emit('SIGTERM');

  // It takes no new connections, and soon closes those that become idle.
  expect(ofFramework).not.toHaveBeenCalled();
  expect(close).toHaveBeenCalledTimes(1);
  jest.advanceTimersByTime(49);
  expect(closeIdleConnections).not.toHaveBeenCalled();
  jest.advanceTimersByTime(51);
  expect(closeIdleConnections).toHaveBeenCalledTimes(2);
  expect(exit).not.toHaveBeenCalled();
  close.mock.calls[0]?.[0]();
  expect(exit.mock.calls).toEqual([[0]]);
});

test('an instance ends after 8 s at the latest', async () => {
  await requestsIn({ K_SERVICE: 'flash-reorder' });
  process.emit('SIGTERM');

  jest.advanceTimersByTime(7_999);
  expect(exit).not.toHaveBeenCalled();
  jest.advanceTimersByTime(1);
  expect(exit.mock.calls).toEqual([[0]]);
});

test.each([
  ['in tests', {}],
  ['in the emulator', { K_SERVICE: 'flash-reorder', FUNCTIONS_EMULATOR: 'true' }],
])('the signal is left to others %s, and no token is fetched', async (_what, environment) => {
  await requestsIn(environment);
  process.emit('SIGTERM');

  expect(ofFramework).toHaveBeenCalledTimes(1);
  expect(close).not.toHaveBeenCalled();
  expect(mockAccessToken).not.toHaveBeenCalled();
});
