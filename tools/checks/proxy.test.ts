/** Tests that the checks of a project use the proxy settings of the shell like the Firebase CLI. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startTlsProxy } from '../../test/support/google/tlsProxy.ts';

let proxy: Awaited<ReturnType<typeof startTlsProxy>>;
let home: string;
const requests: string[] = [];

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'proxy-'));
  proxy = await startTlsProxy(['*.googleapis.com', '*.web.app'], (request, response) => {
    const { host = '', ...headers } = request.headers;
    requests.push(`${request.method} ${host}${request.url}`);
    const isToken = request.url?.endsWith('/token');
    const body = isToken ? { access_token: 'token', expires_in: 3600 } : [{ readTime: 'now' }];
    response.writeHead(host === 'p.web.app' ? 418 : 200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(headers.authorization === undefined && !isToken ? {} : body));
  });
});

afterAll(async () => {
  await proxy.stop();
  await rm(home, { recursive: true });
});

/** Runs a check with the proxy in HTTP_PROXY only, and a NO_PROXY that the CLI ignores. Returns its output. */
async function run(script: string): Promise<string> {
  const { HTTP_PROXY, NODE_EXTRA_CA_CERTS } = proxy.environment;
  const result = promisify(execFile)(process.execPath, [script, '--project', 'p'], {
    env: {
      PATH: process.env.PATH,
      HOME: home,
      XDG_CONFIG_HOME: home,
      FIREBASE_TOKEN: 'refresh',
      CI: '1',
      HTTP_PROXY,
      NODE_EXTRA_CA_CERTS,
      NO_PROXY: '*',
      METADATA_SERVER_DETECTION: 'none',
    },
  });
  const { stdout, stderr } = await result.catch(
    (error: unknown) => error as { stdout: string; stderr: string },
  );
  return stdout + stderr;
}

test('check:data reads documents through the proxy', async () => {
  expect(await run('tools/data/checkData.ts')).toContain('flash: 0 documents');

  expect(requests).toContainEqual(
    expect.stringMatching(/^POST firestore\.googleapis\.com\/.*:runQuery/),
  );
});

test('check:deployed calls Hosting through the proxy', async () => {
  expect(await run('tools/checks/checkDeployed.ts')).toContain(
    'GET https://p.web.app/api/artists returned 418',
  );

  expect(requests).toContain('GET p.web.app/api/artists');
});
