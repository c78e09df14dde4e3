import { createServer } from 'node:http';
import { assertPortsFree, close, findFreePorts, listen, getPortsWithOffset } from './ports.ts';

test('getPortsWithOffset adds the offset to all default ports', () => {
  expect(getPortsWithOffset('100')).toEqual({
    firestore: 8180,
    auth: 9199,
    functions: 5101,
    hosting: 5100,
  });
});

test.each([
  { name: 'empty', offset: '', message: 'must be a number from 0 to 56436.' },
  { name: 'negative', offset: '-1', message: 'must be a number from 0 to 56436.' },
  { name: 'fractional', offset: '1.5', message: 'must be a number from 0 to 56436.' },
  { name: 'too large', offset: '56437', message: 'must be a number from 0 to 56436.' },
  {
    name: 'for Hosting on a blocked port',
    offset: '1000',
    message: '1000 would use port 6000, which browsers block. The next offset that works is 1001.',
  },
  {
    name: 'for Firestore on a blocked port',
    offset: '2000',
    message: '2000 would use port 10080, which browsers block. The next offset that works is 2001.',
  },
  {
    name: 'one of several blocked ones in a row',
    offset: '1664',
    message: '1664 would use port 6665, which browsers block. The next offset that works is 1670.',
  },
])('getPortsWithOffset rejects an offset that is $name', ({ offset, message }) => {
  expect(() => getPortsWithOffset(offset)).toThrow(`--port-offset ${message}`);
});

test('assertPortsFree names a port in use and a solution', async () => {
  const server = createServer();
  const port = await listen(server);

  await expect(assertPortsFree({ hosting: port })).rejects.toThrow(
    `Another program uses port ${port} (hosting): stop it, or start on other ports (npm start -- --port-offset 100).`,
  );
  await close(server);
});

test('findFreePorts never returns a port twice, also if it runs several times at once', async () => {
  const ports = await Promise.all(Array.from({ length: 500 }, () => findFreePorts(1)));

  expect(new Set(ports.flat()).size).toBe(500);
});
