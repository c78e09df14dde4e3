import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { withCallLimit } from '../../support/callLimit.ts';
import type { InProcessService } from '../../support/inProcessService.ts';

/** The category of the OWASP API Security Top 10 (2023, https://owasp.org/API-Security/editions/2023/en/0x11-t10/). */
export type Owasp =
  | 'API1 object level authorization'
  | 'API2 authentication'
  | 'API3 property level authorization'
  | 'API4 resource consumption'
  | 'API5 function level authorization'
  | 'API6 sensitive flows'
  | 'API7 server side request forgery'
  | 'API8 misconfiguration'
  | 'API9 inventory';

export interface AttackResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

export interface Attack {
  readonly name: string;
  readonly owasp: Owasp;
  readonly send: () => Promise<AttackResponse>;
  /** The expected status, or the allowed ones. */
  readonly status: number | readonly number[];
  /** Whether the service must read Firestore to refuse the attack. */
  readonly isRefusedByData?: true;
  /** Whether Node itself responds, before any code of the service, with a status and no body. */
  readonly isHandledByNode?: true;
}

/** No response to an attack may contain this. */
const SECRETS =
  /node_modules|\.(cjs|mjs|ts|js):\d|\bat \w+ \(|firestore|firebase-|grpc|zod|express|demo-in-process|projects\/|artist-alice@|secret/i;

/**
 * The limit of an attack in ms of processor time; invalid input needs a few. Processor time of the whole process,
 * because elapsed time depends on the load of the machine.
 */
const MAX_PROCESSOR_MS = 5_000;

let slowest = { name: '', ms: 0 };
let count = 0;

/** Makes a test of each attack, which also checks the rules for all error responses. */
export function resists(service: InProcessService, attacks: readonly Attack[]): void {
  test.each(attacks.map((attack) => [attack.owasp, attack.name, attack] as const))(
    '%s: %s',
    async (_owasp, _name, attack) => {
      const before = await service.store.usage();
      const began = process.cpuUsage();
      const response = await attack.send();
      const { user, system } = process.cpuUsage(began);
      const ms = (user + system) / 1000;
      const after = await service.store.usage();
      count += 1;
      if (ms > slowest.ms) slowest = { name: attack.name, ms };

      expect([attack.status].flat()).toContain(response.status);
      expect(ms).toBeLessThan(MAX_PROCESSOR_MS);
      expect(Object.keys(Object.prototype)).toEqual([]);
      if (response.status < 400) return;
      expectRefusal(response, attack.isHandledByNode ?? false);
      expect([after.writes, after.deletes]).toEqual([before.writes, before.deletes]);
      if (!attack.isRefusedByData) expect(after.reads).toBe(before.reads);
    },
  );

  afterAll(() => {
    process.stderr.write(
      `${count} attacks; the slowest took ${slowest.ms.toFixed(0)} ms (${slowest.name})\n`,
    );
  });
}

function expectRefusal({ status, headers, text }: AttackResponse, isHandledByNode: boolean): void {
  if (isHandledByNode) {
    expect(text).toBe('');
    return;
  }
  expect(headers['content-type']).toMatch(/^application\/json/);
  expect(headers['cache-control']).toBe('private, no-store');
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers).not.toHaveProperty('access-control-allow-credentials');
  expect(headers).not.toHaveProperty('x-powered-by');
  if (status === 401) expect(headers['www-authenticate']).toBe('Bearer');
  if (text === '' && headers['content-length'] !== undefined) return; // HEAD
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
