/** The start and the shutdown of a process. test/service/lifecycle.process.test.ts tests their effect on requests. */
import { channel } from 'node:diagnostics_channel';

const mockPrefetch = jest.fn();
jest.mock('./metadataTokens.ts', () => ({ prefetchAccessTokens: mockPrefetch }));

const close = jest.fn<undefined, [() => void]>();
const closeIdleConnections = jest.fn();
const sendCrashResponse = jest.fn();
/** Like the listener of the framework (invoker.js). test/service/lifecycle.process.test.ts runs the real one. */
const frameworkListener = () => {
  sendCrashResponse();
};
const otherListener = jest.fn();
const environmentBefore = { ...process.env };
let exit: jest.SpyInstance;

jest.useFakeTimers();

beforeEach(() => {
  jest.resetModules();
  jest.clearAllMocks();
  exit = jest.spyOn(process, 'exit').mockReturnValue(undefined as never);
  process.on('SIGTERM', frameworkListener);
  process.on('SIGTERM', otherListener);
});

afterEach(() => {
  process.removeAllListeners('SIGTERM');
  process.env = { ...environmentBefore };
});

/** Prepares the process in an environment with these variables, starts two requests, and emits SIGTERM. */
async function runInEnvironment(environment: Readonly<Record<string, string>>): Promise<void> {
  Reflect.deleteProperty(process.env, 'K_SERVICE');
  Reflect.deleteProperty(process.env, 'FUNCTIONS_EMULATOR');
  Object.assign(process.env, environment);
  const { prepareProcess } = await import('./prepareProcess.ts');
  prepareProcess();
  const server = { close, closeIdleConnections };
  for (const url of ['/', '/']) {
    // bypassParsing.ts patches the request.
    channel('http.server.request.start').publish({ server, request: { url, headers: {} } });
  }
  process.emit('SIGTERM');
}

test('a deployed process prefetches tokens, and exits after its last response or 8 s after SIGTERM', async () => {
  await runInEnvironment({ K_SERVICE: 'flash-reorder' });

  expect(mockPrefetch).toHaveBeenCalledTimes(1);
  expect(sendCrashResponse).not.toHaveBeenCalled();
  expect(otherListener).toHaveBeenCalledTimes(1);
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
  { name: 'a test', environment: {} },
  {
    name: 'the emulator',
    environment: { K_SERVICE: 'flash-reorder', FUNCTIONS_EMULATOR: 'true' },
  },
])('does not handle SIGTERM or prefetch tokens in $name', async ({ environment }) => {
  await runInEnvironment(environment);

  expect(sendCrashResponse).toHaveBeenCalledTimes(1);
  expect(close).not.toHaveBeenCalled();
  expect(mockPrefetch).not.toHaveBeenCalled();
});
