/**
 * Google's hosts, as far as sign-in and App Check need them, in this process: Node's global agent connects every HTTPS
 * request to a server here, without TLS. A request to a host without a reaction fails.
 */
import https from 'node:https';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { close, listen, LOOPBACK } from '../../dev/ports.ts';
import type { SigningKey } from '../../dev/google/idTokens.ts';
import { resets, respondsWith, type Reaction } from './scriptedServer.ts';

/** The simulated hosts. */
export const HOSTS = {
  /** Publishes the keys of ID tokens (https://firebase.google.com/docs/auth/admin/verify-id-tokens). */
  idTokenKeys: 'www.googleapis.com',
  /** Publishes those of App Check (https://firebase.google.com/docs/app-check/custom-resource-backend). */
  appCheckKeys: 'firebaseappcheck.googleapis.com',
  /** Looks up accounts. */
  accounts: 'identitytoolkit.googleapis.com',
} as const;

const { globalAgent } = https;
const reactions = new Map<string, Reaction>();
let server: Server;

beforeAll(async () => {
  server = createServer((request, response) => {
    (reactions.get(request.headers.host ?? '') ?? resets)(response, request);
  });
  const port = await listen(server);
  https.globalAgent = Object.assign(new https.Agent(), {
    createConnection: () => connect(port, LOOPBACK),
  });
});

afterAll(() => {
  https.globalAgent = globalAgent;
  reactions.clear();
  close(server);
});

/** The requests to a host since its reaction was set. */
export interface Requests {
  readonly count: number;
}

/** Sets how a host reacts, until `noKeyServer`. */
export function simulate(host: string, reaction: Reaction): Requests {
  const requests = { count: 0 };
  reactions.set(host, (response, request) => {
    requests.count += 1;
    reaction(response, request);
  });
  return requests;
}

/** Publishes a key of ID tokens, until `noKeyServer`. */
export function publishKeys(
  { id, publicKey }: SigningKey,
  cacheControl = 'public, max-age=3600',
): Requests {
  return simulate(HOSTS.idTokenKeys, (response, request) => {
    response.setHeader('Cache-Control', cacheControl);
    respondsWith({ [id]: publicKey.export({ type: 'spki', format: 'pem' }) })(response, request);
  });
}

/** Publishes a key of App Check tokens, until `noKeyServer`. */
export function publishAppCheckKeys({ id, publicKey }: SigningKey): Requests {
  const key = { ...publicKey.export({ format: 'jwk' }), kid: id, alg: 'RS256', use: 'sig' };
  return simulate(HOSTS.appCheckKeys, respondsWith({ keys: [key] }));
}

/** Makes every request to a simulated host fail. */
export function noKeyServer(): void {
  reactions.clear();
}

/** How far the monotonic clock of these tests is ahead. */
export interface Clock {
  aheadMs: number;
}

/** Puts the monotonic clock ahead of each test of a file, so that the keys of the test before have expired. */
export function keysExpireBetweenTests(): Clock {
  const clock: Clock = { aheadMs: 0 };

  beforeEach(() => {
    const elapsed = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => elapsed() + clock.aheadMs);
    clock.aheadMs += 24 * 3_600_000;
  });

  return clock;
}
