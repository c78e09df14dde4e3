import { gzipSync } from 'node:zlib';
import { deployedEndpoints } from '../../support/deployMap.ts';
import { exampleRequest } from '../../support/exampleRequests.ts';
import { inProcessService } from '../../support/inProcessService.ts';
import { rawRequest } from '../../support/rawRequest.ts';
import { resists, sendRaw, type Attack } from './attack.ts';
import { ALICE, send, storeTargets } from './world.ts';

const OURS = 'https://app.example.com';
const service = inProcessService({
  ALLOWED_ORIGINS: `${OURS}, https://www.example.com`,
});

beforeAll(async () => {
  // The framework logs an error for each aborted request.
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
  await storeTargets(service);
});

const all = deployedEndpoints.map(({ functionId, endpoint: { declaration } }) => ({
  functionId,
  method: declaration.method,
  path: declaration.path.replace(/\{\w+\}/g, ALICE.uid),
}));

const verbs: Attack[] = all.flatMap(({ functionId, method }) => [
  ...[
    'GET',
    'HEAD',
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
    'TRACE',
    'PROPFIND',
    'SEARCH',
    'LOCK',
    'QUERY',
  ]
    .filter((verb) => verb !== method && !(method === 'GET' && verb === 'HEAD'))
    .map((verb): Attack => ({
      owasp: 'API8 misconfiguration',
      name: `${verb} at ${functionId}`,
      send: () => send(service, functionId, { method: verb }),
      status: 405,
    })),
  ...['X-HTTP-Method-Override', 'X-Method-Override', 'X-HTTP-Method'].map((header): Attack => ({
    owasp: 'API5 function level authorization',
    name: `${functionId} by ${header}`,
    send: () => send(service, functionId, { method: 'PATCH', headers: { [header]: method } }),
    status: 405,
  })),
]);

const elsewhere: Attack[] = all.flatMap(({ functionId, method, path }) =>
  [
    `${path}/`,
    `/${path}`,
    `/v1${path}`,
    `/api/v1${path}`,
    `/api/api${path}`,
    `${path}/..`,
    `${path}/../../admin`,
    `${path};a=b`,
    `${path}%00`,
    `${path}%2f`,
    `${path}.json`,
    path.toUpperCase(),
    `/${functionId}`,
    '/admin',
    '/.env',
    '/package.json',
    '/__/functions.yaml',
    '/favicon.ico',
    '/robots.txt',
  ].map((other): Attack => ({
    owasp: 'API9 inventory',
    name: `${functionId} at ${other}`,
    send: () => send(service, functionId, { method, path: other }),
    status: 404,
  })),
);

const oddPaths: Attack[] = (['flash', 'gallery'] as const).flatMap((list) =>
  [
    ['a%2Fb', 400],
    ['..%2f..%2fusers', 400],
    ['%2e%2e', 400],
    ['..', 400],
    ['.', 400],
    ['__x__', 400],
    ['%', 400],
    ['%zz', 400],
    ['%ff', 400],
    ['%c0%af', 400],
    ['%ed%a0%80', 400],
    ['x'.repeat(1501), 400],
    ['', 404],
    ['a/b', 404],
    ['%00', 200],
    ['%0d%0aSet-Cookie:a=b', 200],
    ['__proto__', 400],
    ['constructor', 200],
    ['%F0%9F%92%89', 200],
  ].map(([id, status]): Attack => ({
    owasp: 'API8 misconfiguration',
    name: `${list} of “${String(id).slice(0, 24)}”`,
    send: () =>
      send(service, `${list}-listByArtist`, { path: `/${list}/artist/${String(id)}/paginated` }),
    status: Number(status),
  })),
);

/** A request as bytes; `lines` are headers. */
function raw(requestLine: string, lines: readonly string[] = [], body = ''): string {
  return [requestLine, 'Host: service', 'Connection: close', ...lines, '', body].join('\r\n');
}

function atSocket(name: string, bytes: () => string | Buffer, rest: Partial<Attack>): Attack {
  return {
    owasp: 'API8 misconfiguration',
    name: `at the socket: ${name}`,
    send: () => sendRaw(service.originOf('flash-reorder'), bytes()),
    status: 400,
    ...rest,
  };
}

const NODE = { isHandledByNode: true } as const;
const authorized = () => `Authorization: Bearer ${service.tokenOf(ALICE.uid)}`;
const JSON_TYPE = 'Content-Type: application/json';
const good = exampleRequest('flash-reorder', ALICE, '').body ?? '';

const sockets: Attack[] = [
  atSocket('not HTTP', () => 'nonsense\r\n\r\n', NODE),
  atSocket('TLS', () => Buffer.from('16030100a5010000a1', 'hex'), NODE),
  atSocket('HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', NODE),
  atSocket('an unknown method', () => raw('HACK / HTTP/1.1'), NODE),
  atSocket('a method in lower case', () => raw('put / HTTP/1.1'), NODE),
  atSocket('no Host', () => 'PUT / HTTP/1.1\r\n\r\n', NODE),
  atSocket('a header of 20 kB', () => raw('PUT / HTTP/1.1', [`X-Long: ${'x'.repeat(20_000)}`]), {
    ...NODE,
    status: 431,
  }),
  atSocket(
    '3000 headers',
    () =>
      raw(
        'PUT / HTTP/1.1',
        Array.from({ length: 3000 }, (_, n) => `A${n}: b`),
      ),
    { ...NODE, status: [400, 431] },
  ),
  atSocket('a path of 20 kB', () => raw(`PUT /${'x'.repeat(20_000)} HTTP/1.1`), {
    ...NODE,
    status: [400, 414, 431],
  }),
  atSocket('a carriage return in a header', () => raw('PUT / HTTP/1.1', ['X-A: b\rX-B: c']), NODE),
  atSocket('a NUL in a header', () => raw('PUT / HTTP/1.1', ['X-A: b\0c']), NODE),
  atSocket('a header without a name', () => raw('PUT / HTTP/1.1', [': b']), NODE),
  atSocket(
    'a space before the colon',
    () => raw('PUT / HTTP/1.1', ['Content-Length : 5'], 'hello'),
    NODE,
  ),
  atSocket('a folded header', () => raw('PUT / HTTP/1.1', ['X-A: b', ' folded']), {
    status: [400, 401],
    isHandledByNode: true,
  }),
  atSocket(
    'two lengths',
    () => raw('PUT / HTTP/1.1', ['Content-Length: 2', 'Content-Length: 3'], '{}'),
    NODE,
  ),
  atSocket('a negative length', () => raw('PUT / HTTP/1.1', ['Content-Length: -1'], '{}'), NODE),
  atSocket('a length of 1e3', () => raw('PUT / HTTP/1.1', ['Content-Length: 1e3'], '{}'), NODE),
  atSocket(
    'a length and chunks',
    () => raw('PUT / HTTP/1.1', ['Content-Length: 4', 'Transfer-Encoding: chunked'], '0\r\n\r\n'),
    NODE,
  ),
  atSocket(
    'a transfer encoding other than chunked',
    () => raw('PUT / HTTP/1.1', ['Transfer-Encoding: xchunked'], '0\r\n\r\n'),
    NODE,
  ),
  atSocket(
    'a chunk with a bad size',
    () => raw('PUT / HTTP/1.1', ['Transfer-Encoding: chunked'], 'zz\r\n'),
    { ...NODE, status: [400, 401] },
  ),
  atSocket('CONNECT', () => 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n', {
    ...NODE,
    status: [0, 400, 404, 405],
  }),
  atSocket('an absolute URL of another host', () => raw('PUT http://example.com/admin HTTP/1.1'), {
    status: 404,
  }),
  atSocket('an invalid path', () => raw('OPTIONS * HTTP/1.1'), { status: [204, 404] }),
  atSocket('HTTP/1.0 without a token', () => 'PUT / HTTP/1.0\r\n\r\n', { status: 401 }),
  atSocket(
    'two Authorization headers',
    () =>
      raw(
        'PUT / HTTP/1.1',
        ['Authorization: Bearer x', authorized(), JSON_TYPE, `Content-Length: ${good.length}`],
        good,
      ),
    { status: 401, owasp: 'API2 authentication' },
  ),
  atSocket(
    'two content types',
    () =>
      raw(
        'PUT / HTTP/1.1',
        [authorized(), 'Content-Type: text/plain', JSON_TYPE, `Content-Length: ${good.length}`],
        good,
      ),
    { status: 415 },
  ),
  atSocket(
    'chunks of more than 1 MiB',
    () =>
      raw(
        'PUT / HTTP/1.1',
        [authorized(), JSON_TYPE, 'Transfer-Encoding: chunked'],
        `${(1_100_000).toString(16)}\r\n${'x'.repeat(1_100_000)}\r\n0\r\n\r\n`,
      ),
    { status: 413, owasp: 'API4 resource consumption' },
  ),
  atSocket(
    'a gzip bomb in chunks',
    () => {
      const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024));
      const head = raw('PUT / HTTP/1.1', [
        authorized(),
        JSON_TYPE,
        'Content-Encoding: gzip',
        `Content-Length: ${bomb.length}`,
      ]);
      return Buffer.concat([Buffer.from(head), bomb]);
    },
    { status: 415, owasp: 'API4 resource consumption' },
  ),
  atSocket(
    'a byte in the path that is not ASCII',
    () => Buffer.from(raw('PUT /flash/\xff HTTP/1.1'), 'latin1'),
    NODE,
  ),
  atSocket(
    'a second request after the body',
    () =>
      raw(
        'PUT / HTTP/1.1',
        [authorized(), JSON_TYPE, 'Content-Length: 2'],
        '{}GET /admin HTTP/1.1\r\n\r\n',
      ),
    NODE,
  ),
];

const headers: Attack[] = [
  ['If-None-Match', '"'.repeat(5000)],
  ['If-None-Match', 'W/"x", '.repeat(500)],
  ['X-Cloud-Trace-Context', 'x'.repeat(5000)],
  ['traceparent', '00-ffffffffffffffffffffffffffffffff-ffffffffffffffff-ff'],
  ['X-Forwarded-For', '1.1.1.1, '.repeat(500)],
  ['X-Forwarded-Host', 'evil.example.com'],
  ['Accept', 'application/xml'],
  ['Accept-Encoding', '*;q=0'],
  ['Range', 'bytes=0-1'],
  ['Expect', '200-ok'],
  ['X-Original-URL', '/admin'],
  ['X-Firebase-AppCheck', '../../etc/passwd'],
].map(([name = '', value = '']): Attack => ({
  owasp: 'API8 misconfiguration',
  name: `${name}: ${value.slice(0, 20)}`,
  send: () => send(service, 'flash-listByArtist', { headers: { [name]: value } }),
  ...(name === 'Expect' ? { ...NODE, status: 417 } : { status: 200 }),
}));

/** The responses to signed-in callers are not cacheable, so there is no 304. */
const conditional: Attack = {
  owasp: 'API8 misconfiguration',
  name: 'messages with If-None-Match: *',
  send: () => send(service, 'conversations-getMessages', { headers: { 'If-None-Match': '*' } }),
  status: 200,
};

resists(service, [conditional, ...verbs, ...elsewhere, ...oddPaths, ...sockets, ...headers]);

describe('API8 misconfiguration: another origin', () => {
  const FOREIGN = [
    'https://evil.example.com',
    'https://app.example.com.evil.com',
    'https://evilapp.example.com',
    'https://app.example.com:8443',
    'http://app.example.com',
    'https://APP.example.com',
    'https://app.example.com/',
    'null',
    'file://',
    '*',
    '',
  ];

  const ways: [string, Record<string, string>, string][] = all.flatMap(({ functionId, method }) => [
    [functionId, {}, method],
    [
      functionId,
      {
        'Access-Control-Request-Method': method,
        'Access-Control-Request-Headers': 'authorization',
      },
      'OPTIONS',
    ],
    [functionId, { Authorization: 'Bearer x' }, method],
  ]);

  test.each(ways)(
    'a foreign origin is allowed nowhere: %s %j %s',
    async (functionId, sent, method) => {
      for (const origin of FOREIGN) {
        const response = await send(service, functionId, {
          method,
          headers: { ...sent, Origin: origin },
        });

        expect(response.headers['access-control-allow-origin']).toBeUndefined();
        expect(response.headers['access-control-allow-credentials']).toBeUndefined();
        expect(response.headers.vary).toContain('Origin');
      }
    },
  );

  test.each(ways)(
    'our own origin is allowed, also to read errors: %s %j %s',
    async (functionId, sent, method) => {
      const response = await send(service, functionId, {
        method,
        headers: { ...sent, Origin: OURS },
      });

      expect(response.headers['access-control-allow-origin']).toBe(OURS);
      expect(response.headers['access-control-allow-credentials']).toBeUndefined();
    },
  );
});

test('API8 misconfiguration: no response header contains input of the client', async () => {
  const split = 'x%0d%0aSet-Cookie:%20a=b';
  const response = await rawRequest(
    service.originOf('flash-listByArtist'),
    `/flash/artist/${split}/paginated?cursor=${split}`,
    { headers: { Origin: 'https://a.example' } },
  );

  expect(response.headers['set-cookie']).toBeUndefined();
  expect(response.headers['x-powered-by']).toBeUndefined();
  expect(JSON.stringify(response.headers)).not.toContain('a=b');
});
