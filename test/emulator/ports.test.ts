import { createServer } from 'node:net';
import { freePortList, LOOPBACK, portsAt, requireFree } from './ports.ts';

test('an offset is added to all default ports', () => {
  expect(portsAt(100)).toEqual({ firestore: 8180, auth: 9199, functions: 5101, hosting: 5100 });
});

test('the error for a port in use names the port and a solution', async () => {
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
