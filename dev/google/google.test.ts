import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Agent, get } from 'node:https';
import { LOOPBACK } from '../ports.ts';
import { startGoogle } from './google.ts';

test('connections can be reset below TLS, and only lead to the hosts of Google', async () => {
  const google = await startGoogle({ projectId: 'demo', firestoreAddress: `${LOOPBACK}:1` });
  const ca = await readFile(google.environment.NODE_EXTRA_CA_CERTS ?? '');
  const agent = new Agent({ ca, proxyEnv: google.environment });
  /** The status of the response, or the code of the error. */
  const ask = async (host: string) => {
    // A hanging connection fails instead of holding up the end of the test.
    const request = get({ agent, host, path: '/keys', signal: AbortSignal.timeout(10_000) });
    request.on('error', () => undefined);
    try {
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      response.resume();
      return response.statusCode;
    } catch (error) {
      return (error as { code?: string }).code;
    }
  };
  const host = 'www.googleapis.com';
  try {
    expect(await ask(host)).toBe(404);
    google.fault({ host, kind: 'reset', times: 1 });
    expect(await ask(host)).toBe('ECONNRESET');

    google.fault({ host, kind: 'hang', times: 1 });
    const open = ask(host);
    await google.seen(host, 'keys', 3);
    google.fault({ host, kind: 'refused' });
    expect(await open).toBe('ECONNRESET');

    await google.heal();
    expect(await ask(host)).toBe(404);
    expect(await ask('example.com')).not.toBe(404);
    expect(google.requestCounts.get('example.com refused')).toBe(1);
  } finally {
    agent.destroy();
    await google.stop();
  }
});
