import dns from 'node:dns';
import nock from 'nock';
import { LOOPBACK } from '../emulator/ports.ts';
import type { SigningKey } from '../emulator/google/idTokens.ts';

const ORIGIN = 'https://www.googleapis.com';
/** Where Google publishes the keys of ID tokens (https://firebase.google.com/docs/auth/admin/verify-id-tokens). */
const PATH = '/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com';

const { lookup } = dns;

// nock patches Node's `http`, which all test files in a process share: restore it.
afterAll(() => {
  reconnectGoogle();
  nock.restore();
});

/** A simulated key server of Google. */
export interface KeyServer {
  /** The number of requests so far. */
  readonly requestCount: () => number;
}

/** Simulates Google's key server with these keys, until `noKeyServer`. */
export function publishKeys(...keys: readonly SigningKey[]): KeyServer {
  return answerWith(200, () =>
    Object.fromEntries(
      keys.map(({ id, publicKey }) => [id, publicKey.export({ type: 'spki', format: 'pem' })]),
    ),
  );
}

/** Simulates a key server that responds with this status, until `noKeyServer`. */
export function failKeyServer(status: number): KeyServer {
  return answerWith(status, () => ({ error: 'backend_error' }));
}

/** Simulates a key server that responds with this body and content type, until `noKeyServer`. */
export function publishInstead(body: string, contentType: string): KeyServer {
  return answerWith(200, () => body, { 'Content-Type': contentType });
}

/** Simulates a key server that never responds, until `noKeyServer`. */
export function hangKeyServer(): void {
  nock(ORIGIN)
    .persist()
    .get(PATH)
    .reply(() => new Promise<never>(() => undefined));
}

/**
 * Makes the key server unreachable, until `noKeyServer`. The connection fails in Node's own sockets, because a
 * simulated failure of nock reports the error twice.
 */
export function cutKeyServer(): void {
  disconnectGoogle();
}

/** Removes the simulated key server. */
export function noKeyServer(): void {
  reconnectGoogle();
  nock.cleanAll();
}

/**
 * Resolves every host name to this machine, which refuses the connection or has no certificate for the name; until
 * `reconnectGoogle`.
 */
export function disconnectGoogle(): void {
  nock.restore();
  const toThisMachine = (_host: string, ...rest: [never, never]) => {
    lookup(LOOPBACK, ...rest);
  };
  dns.lookup = Object.assign(toThisMachine, lookup);
}

/** Lets nock intercept requests to Google again. */
export function reconnectGoogle(): void {
  // Otherwise nock is as it should be: at the end of a file it stays restored.
  if (dns.lookup === lookup) return;
  dns.lookup = lookup;
  nock.activate();
}

function answerWith(
  status: number,
  body: () => object | string,
  headers: Readonly<Record<string, string>> = {},
): KeyServer {
  let requestCount = 0;
  nock(ORIGIN)
    .persist()
    .get(PATH)
    .reply(() => {
      requestCount += 1;
      return [status, body(), { 'Cache-Control': 'public, max-age=3600', ...headers }];
    });
  return { requestCount: () => requestCount };
}
