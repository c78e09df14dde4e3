import { createServer } from 'node:net';
import { assertEmulatorReachable } from './emulatorHost.ts';
import { findFreePorts, listen, LOOPBACK } from './ports.ts';

const { FIRESTORE_EMULATOR_HOST: before } = process.env;

afterEach(() => {
  if (before === undefined) delete process.env.FIRESTORE_EMULATOR_HOST;
  else process.env.FIRESTORE_EMULATOR_HOST = before;
});

test.each([
  {
    name: 'has a scheme',
    value: 'http://127.0.0.1:8080',
    reason: 'is invalid: it must be host:port',
  },
  { name: 'has no port', value: 'localhost', reason: 'is invalid: it must be host:port' },
  {
    name: 'names an unknown host',
    value: 'nowhere.invalid:8080',
    reason: 'cannot be reached: getaddrinfo',
  },
])(
  'a FIRESTORE_EMULATOR_HOST that $name is an error with the reason',
  async ({ value, reason }) => {
    process.env.FIRESTORE_EMULATOR_HOST = value;

    await expect(assertEmulatorReachable()).rejects.toThrow(
      `FIRESTORE_EMULATOR_HOST=${value} ${reason}`,
    );
  },
);

test('a FIRESTORE_EMULATOR_HOST where nothing listens is an error with the reason', async () => {
  const [port = 0] = await findFreePorts(1);
  process.env.FIRESTORE_EMULATOR_HOST = `${LOOPBACK}:${port}`;

  await expect(assertEmulatorReachable()).rejects.toThrow(
    `FIRESTORE_EMULATOR_HOST=${LOOPBACK}:${port} cannot be reached: connect ECONNREFUSED`,
  );
});

test.each([
  { name: 'accepts connections', toValue: (port: number) => `${LOOPBACK}:${port}` },
  { name: 'is empty', toValue: () => '' },
])('a FIRESTORE_EMULATOR_HOST that $name is accepted', async ({ toValue }) => {
  const server = createServer();
  process.env.FIRESTORE_EMULATOR_HOST = toValue(await listen(server));

  await expect(assertEmulatorReachable()).resolves.toBeUndefined();
  server.close();
});
