import { once } from 'node:events';
import { connect } from 'node:net';
import { startTlsProxy } from './tlsProxy.ts';

test('stops at once while a connection has not begun TLS', async () => {
  const proxy = await startTlsProxy(['a.test'], (_request, response) => response.end());
  const { port, hostname } = new URL(proxy.environment.HTTPS_PROXY ?? '');
  const socket = connect(Number(port), hostname);
  socket.write('CONNECT a.test:443 HTTP/1.1\r\nHost: a.test\r\n\r\n');
  const [reply] = (await once(socket, 'data')) as [Buffer];
  const closed = once(socket, 'close');

  await proxy.stop();

  expect(String(reply)).toContain('200 Connection Established');
  await closed;
});
