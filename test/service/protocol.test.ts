/**
 * API8 of the OWASP API Security Top 10 (2023), misconfiguration: bytes that no HTTP client would send. Bodies, paths and
 * queries are the subject of test/http, test/service/refusals.test.ts and test/fuzz.
 */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { exampleRequest } from '../../dev/shared/exampleRequests.ts';
import { inProcessService } from '../support/inProcessService.ts';
import { CALL_LIMIT_MS } from '../../dev/shared/rawRequest.ts';

const service = inProcessService();

beforeEach(() => {
  // The framework logs an error for each aborted request.
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
});

/** The request line, headers, an empty line and the body, as bytes. */
function raw(requestLine: string, lines: readonly string[] = [], body = ''): string {
  return [requestLine, 'Host: service', 'Connection: close', ...lines, '', body].join('\r\n');
}

/** A request to the endpoint, which takes a PUT. */
function put(lines: readonly string[], body = ''): string {
  return raw('PUT / HTTP/1.1', lines, body);
}

/** Sends bytes; returns the status and the body of the first response. */
async function send(bytes: string): Promise<{ status: number; body: string }> {
  const { hostname, port } = new URL(service.originOf('flash-reorder'));
  const signal = AbortSignal.timeout(CALL_LIMIT_MS);
  const socket = connect({ port: Number(port), host: hostname, signal });
  socket.write(bytes);
  const response = await text(socket);
  const [head = '', ...body] = response.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1] ?? 0), body: body.join('\r\n\r\n') };
}

const CHUNKED = 'Transfer-Encoding: chunked';
const JSON_TYPE = 'Content-Type: application/json';
const signed = () => `Authorization: Bearer ${service.tokenOf('alice')}`;

test.each<[string, string, number[]?]>([
  ['what is not HTTP', 'nonsense\r\n\r\n'],
  ['a header of 20 kB', put([`X-Long: ${'x'.repeat(20_000)}`]), [431]],
  ['a carriage return in a header', put(['X-A: b\rX-B: c'])],
  ['two lengths', put(['Content-Length: 2', 'Content-Length: 3'], '{}')],
  ['a length and chunks', put(['Content-Length: 4', CHUNKED], '0\r\n\r\n')],
  ['CONNECT', 'CONNECT a.example:443 HTTP/1.1\r\nHost: a\r\n\r\n', [0, 400, 404, 405]],
])('Node itself refuses %s, without a body', async (_what, bytes, statuses = [400]) => {
  const { status, body } = await send(bytes);

  expect(statuses).toContain(status);
  expect(body).toBe('');
});

const good = exampleRequest('flash-reorder', { uid: 'alice', prefix: 'none' }, '').body ?? '';
const length = `Content-Length: ${good.length}`;

test.each<[string, number, () => string]>([
  ['an absolute URL of another host', 404, () => raw('PUT http://a.example/admin HTTP/1.1')],
  ['HTTP/1.0 without a token', 401, () => 'PUT / HTTP/1.0\r\n\r\n'],
  [
    'two Authorization headers',
    401,
    () => put(['Authorization: Bearer x', signed(), JSON_TYPE, length], good),
  ],
  [
    'two content types',
    415,
    () => put([signed(), 'Content-Type: text/plain', JSON_TYPE, length], good),
  ],
])('the service refuses %s with %i', async (_what, expected, bytes) => {
  const { status, body } = await send(bytes());

  expect(status).toBe(expected);
  expect(body).toMatch(/^(\w+\r\n)?\{"message":"[^"]/);
});

test('no second request is taken from the rest of a body', async () => {
  const head = [signed(), 'Content-Length: 2', JSON_TYPE];
  const { status, body } = await send(put(head, '{}GET /admin HTTP/1.1\r\n\r\n'));

  expect([status, body]).toEqual([400, '']);
});
