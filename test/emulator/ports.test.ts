import { createServer } from 'node:net';
import { freePortList, LOOPBACK, portsAt, requireFree } from './ports.ts';

test('the ports of an offset are all that much higher', () => {
  expect(portsAt(100)).toEqual({ firestore: 8180, auth: 9199, functions: 5101, hosting: 5100 });
});

test('a taken port is named, with what to do about it', async () => {
  const [port = 0] = await freePortList(1);
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(port, LOOPBACK, resolve);
  });

  try {
    await expect(requireFree({ hosting: port })).rejects.toThrow(
      `Port ${port} (hosting) is taken by another program: stop it, or start on other ports (npm start -- --port-offset 100).`,
    );
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});
