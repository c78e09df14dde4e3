import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { startCloud, type Cloud } from './cloud.ts';

let cloud: Cloud;

beforeAll(async () => {
  cloud = await startCloud({ projectId: 'tattoo', region: 'europe-west1', services: [] });
});

afterAll(async () => {
  await cloud.stop();
});

/** Sends a request from a process that the simulation's environment redirects; returns the status or the error code. */
async function statusOf(url: string): Promise<string> {
  const script = `fetch(process.argv[1]).then(
    ({ status }) => console.log(status), ({ cause }) => console.log(cause.code))`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script, url], {
    env: { ...cloud.environment },
  });
  return stdout.trim();
}

test('responds to known requests, and counts them', async () => {
  const host = 'firestore.googleapis.com';

  expect(await statusOf(`https://${host}/v1/projects/tattoo/databases/(default)`)).toBe('404');
  expect(cloud.requestCounts.get(`GET ${host}/v1/projects/*/databases/*`)).toBe(1);
});

test('refuses unknown requests, and reports them', async () => {
  expect(await statusOf('https://firestore.googleapis.com/v1/unheard-of')).toBe('501');
  expect(cloud.unknown).toContain('GET firestore.googleapis.com/v1/unheard-of');
});

test('blocks connections to other hosts', async () => {
  expect(await statusOf('https://example.com/')).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
});
