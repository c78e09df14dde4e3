import { createServer } from 'node:http';
import { close, listen, portsWithOffset, assertPortsFree } from './ports.ts';

test('an offset is added to all default ports, which stay valid', () => {
  expect(portsWithOffset('100')).toEqual({
    firestore: 8180,
    auth: 9199,
    functions: 5101,
    hosting: 5100,
  });
  for (const offset of ['', '-1', '1.5', '56437']) {
    expect(() => portsWithOffset(offset)).toThrow(
      '--port-offset must be a number from 0 to 56436.',
    );
  }
});

test('the error for a port in use names the port and a solution', async () => {
  const server = createServer();
  const port = await listen(server);

  await expect(assertPortsFree({ hosting: port })).rejects.toThrow(
    `Another program uses port ${port} (hosting): stop it, or start on other ports (npm start -- --port-offset 100).`,
  );
  await close(server);
});
