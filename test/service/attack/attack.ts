import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { withCallLimit } from '../../support/callLimit.ts';
import type { InProcessService } from '../../support/inProcessService.ts';

export interface AttackResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** A request, and the expected status or the allowed ones. */
export type Attack = readonly [
  name: string,
  status: number | readonly number[],
  send: () => Promise<AttackResponse>,
];

/** No response to an attack may contain this. */
const SECRETS =
  /node_modules|\.(cjs|mjs|ts|js):\d|\bat \w+ \(|firestore|firebase-|grpc|zod|express|demo-in-process|projects\/|artist-alice@|secret/i;

/**
 * Makes a test of each attack: it changes nothing, reads Firestore only if `isRefusedByData`, and its error response
 * tells nothing about the server.
 */
export function resists(
  service: InProcessService,
  attacks: readonly Attack[],
  { isRefusedByData = false } = {},
): void {
  test.each(attacks)('%s', async (_name, status, send) => {
    const before = await service.store.usage();
    const response = await send();
    const after = await service.store.usage();

    expect([status].flat()).toContain(response.status);
    expect(Object.keys(Object.prototype)).toEqual([]);
    if (response.status < 400) return;
    expectRefusal(response);
    expect([after.writes, after.deletes]).toEqual([before.writes, before.deletes]);
    if (!isRefusedByData) expect(after.reads).toBe(before.reads);
  });
}

function expectRefusal({ status, headers, text }: AttackResponse): void {
  expect(headers['content-type']).toMatch(/^application\/json/);
  expect(headers['cache-control']).toBe('private, no-store');
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers).not.toHaveProperty('access-control-allow-credentials');
  expect(headers).not.toHaveProperty('x-powered-by');
  if (status === 401) expect(headers['www-authenticate']).toBe('Bearer');
  const body = JSON.parse(text) as { message: string };
  expect(Object.keys(body)).toEqual(['message']);
  expect(body.message).toMatch(/^[A-Z\w].*\.$/);
  expect(body.message.length).toBeLessThan(300);
  expect(text).not.toMatch(SECRETS);
}

/** Sends bytes that no HTTP client would send, and returns the first response. */
export async function sendRaw(origin: string, bytes: string | Buffer): Promise<AttackResponse> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  const response = await withCallLimit('An attack', (signal) => {
    signal.addEventListener('abort', () => socket.destroy(new Error('There was no response.')));
    return text(socket);
  });
  const [head = '', ...rest] = response.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  const body = rest.join('\r\n\r\n');
  return {
    status: Number(statusLine.split(' ')[1] ?? 0),
    headers,
    text: headers['transfer-encoding'] === 'chunked' ? unchunked(body) : body,
  };
}

function unchunked(body: string): string {
  return body.replace(/[\da-f]+\r\n(.*?)\r\n/gis, '$1');
}
