import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { withCallLimit } from '../../support/callLimit.ts';
import type { InProcessService } from '../../support/inProcessService.ts';

/** The OWASP API Security Top 10 (2023) that an attack is of (https://owasp.org/API-Security/editions/2023/en/0x11-t10/). */
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

/** What came back. */
export interface AttackAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** One attack: what is sent, and how it must be answered. */
export interface Attack {
  readonly name: string;
  readonly owasp: Owasp;
  readonly send: () => Promise<AttackAnswer>;
  /** The status that must come back, or those of which one must. */
  readonly status: number | readonly number[];
  /** Whether it can only be refused after Firestore was asked: what is stored is what speaks against it. */
  readonly isRefusedByData?: true;
  /** Whether Node itself answers, before any code of the service: with a status and no body. */
  readonly isAnsweredByNode?: true;
}

/** What no answer to an attack may tell. */
const SECRETS =
  /node_modules|\.(cjs|mjs|ts|js):\d|\bat \w+ \(|firestore|firebase-|grpc|zod|express|demo-in-process|projects\/|artist-alice@|secret/i;

/**
 * An attack that takes more processor time, in ms, has found something: bad input needs a few. Of the whole process, and
 * not by the clock: how busy the machine is must not decide.
 */
const MAX_PROCESSOR_MS = 5_000;

let slowest = { name: '', ms: 0 };
let count = 0;

/** Makes each attack a test, and holds its answer to what holds of every refusal. */
export function resists(service: InProcessService, attacks: readonly Attack[]): void {
  test.each(attacks.map((attack) => [attack.owasp, attack.name, attack] as const))(
    '%s: %s',
    async (_owasp, _name, attack) => {
      const before = await service.control.usage(service.projectId);
      const began = process.cpuUsage();
      const answer = await attack.send();
      const { user, system } = process.cpuUsage(began);
      const ms = (user + system) / 1000;
      const after = await service.control.usage(service.projectId);
      count += 1;
      if (ms > slowest.ms) slowest = { name: attack.name, ms };

      expect([attack.status].flat()).toContain(answer.status);
      expect(ms).toBeLessThan(MAX_PROCESSOR_MS);
      expect(Object.keys(Object.prototype)).toEqual([]);
      if (answer.status < 400) return;
      expectRefusal(answer, attack.isAnsweredByNode ?? false);
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

function expectRefusal({ status, headers, text }: AttackAnswer, isAnsweredByNode: boolean): void {
  if (isAnsweredByNode) {
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

/** Sends bytes as they are, and gives the first answer to them: what an HTTP client would never send. */
export async function sendRaw(origin: string, bytes: string | Buffer): Promise<AttackAnswer> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  const answer = await withCallLimit('An attack', (signal) => {
    signal.addEventListener('abort', () => socket.destroy(new Error('No answer came.')));
    return text(socket);
  });
  const [head = '', ...rest] = answer.split('\r\n\r\n');
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
