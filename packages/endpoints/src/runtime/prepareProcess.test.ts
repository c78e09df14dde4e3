/** How an instance begins and ends; test/service/lifecycle.process.test.ts has what its requests see of that. */
import { channel } from 'node:diagnostics_channel';

const mockAccessToken = jest.fn().mockResolvedValue('token');
jest.mock('./project.ts', () => ({
  firestoreTokenSource: { get: mockAccessToken },
}));

const close = jest.fn<undefined, [() => void]>();
const closeIdleConnections = jest.fn();
const ofFramework = jest.fn();
const environmentBefore = { ...process.env };
let exit: jest.SpyInstance;

jest.useFakeTimers();

beforeEach(() => {
  jest.resetModules();
  jest.clearAllMocks();
  exit = jest.spyOn(process, 'exit').mockReturnValue(undefined as never);
  process.on('SIGTERM', ofFramework);
});

afterEach(() => {
  process.removeAllListeners('SIGTERM');
  process.env = { ...environmentBefore };
});

/** Loads the module where the variables say that, lets two requests begin, and sends the signal. */
async function requestsIn(environment: Readonly<Record<string, string>>): Promise<void> {
  Reflect.deleteProperty(process.env, 'K_SERVICE');
  Reflect.deleteProperty(process.env, 'FUNCTIONS_EMULATOR');
  Object.assign(process.env, environment);
  const { prepareProcess } = await import('./prepareProcess.ts');
  prepareProcess();
  const server = { close, closeIdleConnections };
  for (const url of ['/', '/']) {
    // Other modules listen to the request.
    channel('http.server.request.start').publish({ server, request: { url, headers: {} } });
  }
  process.emit('SIGTERM');
}

test('an instance fetches an access token first, and ends after its last response, or 8 s after the signal', async () => {
  await requestsIn({ K_SERVICE: 'flash-reorder' });

  expect(mockAccessToken).toHaveBeenCalledTimes(1);
  expect(ofFramework).not.toHaveBeenCalled();
  expect(close).toHaveBeenCalledTimes(1);
  jest.advanceTimersByTime(7_999);
  expect(exit).not.toHaveBeenCalled();
  // Connections that were busy at the signal are closed once they are idle.
  expect(closeIdleConnections.mock.calls.length).toBeGreaterThan(100);
  close.mock.calls[0]?.[0]();
  jest.advanceTimersByTime(1);
  expect(exit.mock.calls).toEqual([[0], [0]]);
});

test.each([
  ['in tests', {}],
  ['in the emulator', { K_SERVICE: 'flash-reorder', FUNCTIONS_EMULATOR: 'true' }],
])('does not handle SIGTERM or prefetch a token %s', async (_what, environment) => {
  await requestsIn(environment);

  expect(ofFramework).toHaveBeenCalledTimes(1);
  expect(close).not.toHaveBeenCalled();
  expect(mockAccessToken).not.toHaveBeenCalled();
});
