/**
 * API8 of the OWASP API Security Top 10 (2023), misconfiguration: requests that no HTTP client would send, and headers
 * that could mislead a server. Bodies, paths and queries are the subject of test/http, test/service/refusals and the
 * fuzzer.
 */
import { deployedEndpoints } from '../../support/deployMap.ts';
import { exampleRequest } from '../../support/exampleRequests.ts';
import { inProcessService } from '../../support/inProcessService.ts';
import { resists, sendRaw, type Attack } from './attack.ts';
import { ALICE, send, storeTargets } from './world.ts';

const service = inProcessService();

beforeAll(async () => {
  // The framework logs an error for each aborted request.
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
  await storeTargets(service);
});

/** The request line, headers, an empty line and the body, as bytes. */
function raw(requestLine: string, lines: readonly string[] = [], body = ''): string {
  return [requestLine, 'Host: service', 'Connection: close', ...lines, '', body].join('\r\n');
}

/** A request to an endpoint that takes a PUT. */
function put(lines: readonly string[], body = ''): string {
  return raw('PUT / HTTP/1.1', lines, body);
}

const sendBytes = (bytes: string | Buffer) => sendRaw(service.originOf('flash-reorder'), bytes);
const CHUNKED = 'Transfer-Encoding: chunked';

describe('Node itself refuses without a body', () => {
  test.each<[string, string | Buffer, number[]?]>([
    ['what is not HTTP', 'nonsense\r\n\r\n'],
    ['TLS', Buffer.from('16030100a5010000a1', 'hex')],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['an unknown method', raw('HACK / HTTP/1.1')],
    ['a method in lower case', raw('put / HTTP/1.1')],
    ['no Host', 'PUT / HTTP/1.1\r\n\r\n'],
    ['a header of 20 kB', put([`X-Long: ${'x'.repeat(20_000)}`]), [431]],
    ['3000 headers', put(Array.from({ length: 3000 }, (_, n) => `A${n}: b`)), [400, 431]],
    ['a path of 20 kB', raw(`PUT /${'x'.repeat(20_000)} HTTP/1.1`), [400, 414, 431]],
    ['a byte in the path that is not ASCII', Buffer.from(raw('PUT /\xff HTTP/1.1'), 'latin1')],
    ['a carriage return in a header', put(['X-A: b\rX-B: c'])],
    ['a NUL in a header', put(['X-A: b\0c'])],
    ['a header without a name', put([': b'])],
    ['a space before the colon', put(['Content-Length : 5'], 'hello')],
    ['a folded header', put(['X-A: b', ' folded']), [400, 401]],
    ['two lengths', put(['Content-Length: 2', 'Content-Length: 3'], '{}')],
    ['a negative length', put(['Content-Length: -1'], '{}')],
    ['a length of 1e3', put(['Content-Length: 1e3'], '{}')],
    ['a length and chunks', put(['Content-Length: 4', CHUNKED], '0\r\n\r\n')],
    ['another transfer encoding', put(['Transfer-Encoding: xchunked'], '0\r\n\r\n')],
    ['a chunk with a bad size', put([CHUNKED], 'zz\r\n'), [400, 401]],
    ['an unknown expectation', put(['Expect: 200-ok']), [417]],
    ['CONNECT', 'CONNECT a.example:443 HTTP/1.1\r\nHost: a\r\n\r\n', [0, 400, 404, 405]],
  ])('%s', async (_what, bytes, statuses = [400]) => {
    const { status, text } = await sendBytes(bytes);

    expect(statuses).toContain(status);
    expect(text).toBe('');
  });

  test('a second request after the body', async () => {
    const head = [`Authorization: Bearer ${service.tokenOf(ALICE.uid)}`, 'Content-Length: 2'];
    const { status } = await sendBytes(
      put([...head, 'Content-Type: application/json'], '{}GET /admin HTTP/1.1\r\n\r\n'),
    );

    expect(status).toBe(400);
  });
});

const authorized = () => `Authorization: Bearer ${service.tokenOf(ALICE.uid)}`;
const JSON_TYPE = 'Content-Type: application/json';
const good = exampleRequest('flash-reorder', ALICE, '').body ?? '';
const length = `Content-Length: ${good.length}`;
const MUCH = `${(1_100_000).toString(16)}\r\n${'x'.repeat(1_100_000)}\r\n0\r\n\r\n`;

const sockets: [string, number | number[], () => string][] = [
  ['an absolute URL of another host', 404, () => raw('PUT http://a.example/admin HTTP/1.1')],
  ['an invalid path', [204, 404], () => raw('OPTIONS * HTTP/1.1')],
  ['HTTP/1.0 without a token', 401, () => 'PUT / HTTP/1.0\r\n\r\n'],
  [
    'two Authorization headers',
    401,
    () => put(['Authorization: Bearer x', authorized(), JSON_TYPE, length], good),
  ],
  [
    'two content types',
    415,
    () => put([authorized(), 'Content-Type: text/plain', JSON_TYPE, length], good),
  ],
  ['chunks of more than 1 MiB', 413, () => put([authorized(), JSON_TYPE, CHUNKED], MUCH)],
];

resists(
  service,
  sockets.map(([name, status, bytes]): Attack => [name, status, () => sendBytes(bytes())]),
);

test('another method is refused, whatever headers name the allowed one', async () => {
  for (const { functionId, endpoint } of deployedEndpoints) {
    const { method } = endpoint.declaration;
    for (const name of ['X-HTTP-Method-Override', 'X-Method-Override', 'X-HTTP-Method']) {
      const { status } = await send(service, functionId, {
        method: 'PATCH',
        headers: { [name]: method },
      });

      expect([functionId, status]).toEqual([functionId, 405]);
    }
  }
});

test.each([
  ['If-None-Match', '"'.repeat(5000)],
  ['If-None-Match', 'W/"x", '.repeat(500)],
  ['X-Cloud-Trace-Context', 'x'.repeat(5000)],
  ['traceparent', '00-ffffffffffffffffffffffffffffffff-ffffffffffffffff-ff'],
  ['X-Forwarded-For', '1.1.1.1, '.repeat(500)],
  ['X-Forwarded-Host', 'evil.example.com'],
  ['Accept', 'application/xml'],
  ['Accept-Encoding', '*;q=0'],
  ['Range', 'bytes=0-1'],
  ['X-Original-URL', '/admin'],
  ['X-Firebase-AppCheck', '../../etc/passwd'],
])('%s: %s makes no difference', async (name, value) => {
  const plain = await send(service, 'flash-listByArtist');
  const { status, text } = await send(service, 'flash-listByArtist', {
    headers: { [name]: value },
  });

  expect({ status, text }).toEqual({ status: 200, text: plain.text });
});

test('a response to a signed-in caller is never 304', async () => {
  const headers = { 'If-None-Match': '*' };

  expect((await send(service, 'conversations-getMessages', { headers })).status).toBe(200);
});

test.each(['limit[]=1', '__proto__[x]=1', '__proto__=1&constructor=2', `a=${'x'.repeat(7000)}`])(
  'ignores the unknown query %s',
  async (query) => {
    const path = `/flash/artist/${ALICE.uid}/paginated?${query}`;

    expect((await send(service, 'flash-listByArtist', { path })).status).toBe(200);
    expect(Object.keys(Object.prototype)).toEqual([]);
  },
);

test('no response header contains input of the client', async () => {
  const split = 'x%0d%0aSet-Cookie:%20a=b';
  for (const path of [`/${split}/paginated`, `/a/paginated?cursor=${split}`]) {
    const { headers } = await send(service, 'flash-listByArtist', { path: `/flash/artist${path}` });

    expect(headers).not.toHaveProperty('set-cookie');
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(JSON.stringify(headers)).not.toContain('a=b');
  }
});
