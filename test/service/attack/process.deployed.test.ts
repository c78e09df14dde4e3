/**
 * Attacks that could end or block a process: endless bodies, unhandled rejections, invalid parameters, and SIGTERM.
 * Against the deployed functions.
 */
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { freePortList, LOOPBACK } from '../../emulator/ports.ts';
import type { DeployedFunction } from '../../support/deployedFunction.ts';
import { deployedService } from '../../support/deployedService.ts';
import { exampleRequest } from '../../support/exampleRequests.ts';
import { appCheckClaims, signedToken, signingKey } from '../../emulator/google/idTokens.ts';
import { rawRequest, type RawResponse } from '../../support/rawRequest.ts';
import { startTcpProxy } from '../../support/tcpProxy.ts';
import { serveMeasured, type MeasuredFunction } from './measured.ts';
import { ALICE, bodyWith } from './world.ts';

const service = deployedService();
const functionId = 'availability-updateAvailability';

const MIB = 1024 * 1024;
const MAX_PEAK_MIB = 300;

/** An App Check token with valid claims, signed with a key that is not Google's. */
const APP_CHECK_TOKEN = signedToken(signingKey('key-1'), appCheckClaims('tattoo-deployed'));

/** Starts the function, and sends its first requests. */
async function warm(env?: Readonly<Record<string, string>>): Promise<MeasuredFunction> {
  const measured = await serveMeasured(service, functionId, env);
  for (let turn = 0; turn < 3; turn += 1) expect((await ask(measured)).status).toBe(404);
  return measured;
}

/** Sends Alice's example request. She is signed in, but nothing is stored: 404. */
async function ask(measured: DeployedFunction, body?: string): Promise<RawResponse> {
  return askFor(functionId, measured, body);
}

async function askFor(
  id: string,
  { origin }: DeployedFunction,
  body?: string,
): Promise<RawResponse> {
  const { path, ...sent } = exampleRequest(id, ALICE, service.google.tokenOf(ALICE.uid));
  return rawRequest(origin, path, { ...sent, ...(body !== undefined && { body }) });
}

/** A function that has served a request before it lost its connection to Firestore. */
async function cutOff(env: Readonly<Record<string, string>> = {}) {
  const proxy = await startTcpProxy(service.firestoreAddress);
  const measured = await service.serve('artists-list', {
    PUBLIC_CACHE_SECONDS: '0',
    FIRESTORE_EMULATOR_HOST: proxy.address,
    ...env,
  });
  await askFor('artists-list', measured);
  await proxy.cut();
  return { proxy, measured };
}

let hanging: DeployedFunction;
let underWayForever: Promise<unknown>;

// Its end takes 8 s: meanwhile the tests run.
beforeAll(async () => {
  ({ measured: hanging } = await cutOff({ DEADLINE_SECONDS: '30' }));
  underWayForever = askFor('artists-list', hanging).catch(() => undefined);
  await rawRequest(hanging.origin, '/', { method: 'OPTIONS' });
  process.kill(hanging.pid, 'SIGTERM');
});

/** Sends a body of 30 MiB for as long as the service reads it; returns the status. */
async function flood(
  { origin }: DeployedFunction,
  headers: readonly string[],
  chunked: boolean,
): Promise<number> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  const chunk = 'x'.repeat(64 * 1024);
  const length = chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${30 * MIB}`;
  socket.write(
    [
      'POST / HTTP/1.1',
      'Host: service',
      'Content-Type: application/json',
      length,
      ...headers,
      '',
      '',
    ].join('\r\n'),
  );
  let came = '';
  socket.on('data', (data) => {
    came += data.toString();
  });
  // The service closes the connection while the test is still sending.
  socket.on('error', () => undefined);
  for (let sent = 0; sent < 30 * MIB && !socket.destroyed; sent += chunk.length) {
    const part = chunked ? `${chunk.length.toString(16)}\r\n${chunk}\r\n` : chunk;
    if (!socket.write(part)) await drainedOrClosed(socket);
  }
  socket.end();
  await closed(socket);
  return Number(/^HTTP\/1\.1 (\d+)/.exec(came)?.[1] ?? 0);
}

async function drainedOrClosed(socket: Socket): Promise<void> {
  if (socket.closed) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      socket.off('drain', done).off('close', done);
      resolve();
    };
    socket.once('drain', done).once('close', done);
  });
}

async function closed(socket: Socket): Promise<void> {
  if (socket.closed) return;
  await new Promise((resolve) => socket.once('close', resolve));
}

describe('20 bodies of 30 MiB at once', () => {
  let measured: MeasuredFunction;

  beforeAll(async () => {
    measured = await warm();
  });

  test.each([
    ['without a token, with a Content-Length', [], false, 401],
    ['without a token, in chunks', [], true, 401],
    ['with a token, with a Content-Length', ['Authorization'], false, 413],
    ['with a token, in chunks', ['Authorization'], true, 413],
  ])(
    '%s, are refused, and other requests are served meanwhile',
    async (_name, signed, chunked, status) => {
      const headers = signed.map(
        () => `Authorization: Bearer ${service.google.tokenOf(ALICE.uid)}`,
      );

      let statuses: number[] = [];
      let meanwhile: RawResponse[] = [];
      const needs = await measured.neededFor(async () => {
        const floods = Promise.all(
          Array.from({ length: 20 }, () => flood(measured, headers, chunked)),
        );
        meanwhile = await Promise.all(Array.from({ length: 10 }, () => ask(measured)));
        statuses = await floods;
      });
      expect(meanwhile.map((answer) => answer.status)).toEqual(meanwhile.map(() => 404));
      expect(new Set(statuses)).toEqual(new Set([status]));
      expect(needs.peakMiB).toBeLessThan(MAX_PEAK_MIB);
    },
  );
});

test('80 bodies of 1 MiB at once from a signed-in user are refused within the memory limit', async () => {
  const measured = await warm();
  const maps = Array.from({ length: 330_000 }, () => '{}').join(',');
  const body = bodyWith(functionId, { weeklySlots: 'HERE' }).replace(
    '"HERE"',
    () => `{"Monday":[${maps}]}`,
  );

  let statuses: number[] = [];
  const needs = await measured.neededFor(async () => {
    const answers = await Promise.all(Array.from({ length: 80 }, () => ask(measured, body)));
    statuses = answers.map(({ status }) => status);
  });
  expect(new Set(statuses)).toEqual(new Set([400]));
  expect(needs.peakMiB).toBeLessThan(MAX_PEAK_MIB);
});

describe('a failed promise', () => {
  /** Sends a request, and disconnects before the response. */
  async function leave({ origin }: DeployedFunction, id: string): Promise<void> {
    const { method, path, headers } = exampleRequest(id, ALICE, service.google.tokenOf(ALICE.uid));
    const { hostname, port } = new URL(origin);
    const socket = connect(Number(port), hostname);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    socket.write(
      [`${method} ${path} HTTP/1.1`, 'Host: service', ...lines, '', ''].join('\r\n'),
      () => socket.destroy(),
    );
    await closed(socket);
  }

  async function nobody(): Promise<string> {
    const [port = 0] = await freePortList(1);
    return `${LOOPBACK}:${port}`;
  }

  test.each<[string, string, () => Promise<Record<string, string>>]>([
    [
      'Google’s keys',
      'notifications-resetNewNotifications',
      async () => ({ HTTPS_PROXY: `http://${await nobody()}` }),
    ],
    [
      'Google’s App Check keys',
      'artists-list',
      async () => ({ APP_CHECK: 'enforce', HTTPS_PROXY: `http://${await nobody()}` }),
    ],
    ['the access token', 'artists-list', async () => ({ GCE_METADATA_HOST: await nobody() })],
    ['Firestore', 'artists-list', async () => ({ HTTPS_PROXY: `http://${await nobody()}` })],
    [
      'Firestore, for a page and its count',
      'flash-listByArtist',
      async () => ({ HTTPS_PROXY: `http://${await nobody()}` }),
    ],
  ])('keeps running when %s cannot be fetched and clients disconnect', async (_what, id, env) => {
    const measured = await service.serve(id, { DEADLINE_SECONDS: '1', ...(await env()) });
    const asked = async () => {
      const { path, headers, ...sent } = exampleRequest(
        id,
        ALICE,
        service.google.tokenOf(ALICE.uid),
      );
      const attested = { ...headers, 'X-Firebase-AppCheck': APP_CHECK_TOKEN };
      return rawRequest(measured.origin, path, { ...sent, headers: attested });
    };

    const [answers] = await Promise.all([
      Promise.all([1, 2, 3, 4, 5].map(asked)),
      ...[1, 2, 3, 4, 5].map(() => leave(measured, id)),
    ]);
    const again = await Promise.race([asked(), measured.ended]);

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    expect(again).toMatchObject({ status: 503 });
  });
});

describe('a parameter with an invalid deployed value', () => {
  test.each([
    // In process the same is said of those that every endpoint reads (http/endpoint.test.ts).
    ['USER_REQUESTS_PER_MINUTE', 'many', functionId],
    ['CHECK_REVOKED', 'yes', functionId],
    ['DATABASE_ID', 'Default', functionId],
    ['PUBLIC_CACHE_SECONDS', '', 'artists-list'],
  ])(
    'leads to status 500 and one clear log line per request, and keeps running: %s=%s',
    async (name, value, id) => {
      const measured = await service.serve(id, { [name]: value });

      const answers = [await askFor(id, measured), await askFor(id, measured)];
      const { status } = await rawRequest(measured.origin, '/nothing');
      await measured.stop();

      const errors = measured.logs.filter(
        ({ severity, httpRequest }) => severity === 'ERROR' && httpRequest === undefined,
      );
      for (const answer of answers) {
        expect(answer.status).toBe(500);
        expect(JSON.parse(answer.text)).toEqual({
          message: 'Something went wrong on our side. Please try again later.',
        });
      }
      expect(status).toBe(404);
      expect(errors).toHaveLength(2);
      for (const { message } of errors) {
        expect(message).toContain(`The deployed value of the parameter ${name} is invalid.`);
        // The stack names the source, not the bundle.
        expect(message).toMatch(/\bsrc\/parameters\.ts:\d+:\d+/);
      }
    },
  );
});

describe('the platform’s SIGTERM', () => {
  /** Resolves when the function accepts no more connections. */
  async function untilClosed({ origin }: DeployedFunction): Promise<void> {
    const { hostname, port } = new URL(origin);
    for (;;) {
      const socket = connect(Number(port), hostname);
      const connected = await new Promise((resolve) => {
        socket.once('connect', () => {
          resolve(true);
        });
        socket.once('error', () => {
          resolve(false);
        });
      });
      socket.destroy();
      if (connected === false) return;
      await delay(10);
    }
  }

  test('lets requests in progress finish, accepts no more, then ends the process', async () => {
    const { proxy, measured } = await cutOff();
    const underWay = Promise.all([1, 2, 3].map(() => askFor('artists-list', measured)));
    // This request comes after them: its response shows that they have arrived.
    await rawRequest(measured.origin, '/', { method: 'OPTIONS' });

    process.kill(measured.pid, 'SIGTERM');
    await untilClosed(measured);
    await proxy.mend();

    expect((await underWay).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await measured.ended).toBe(0);
    await proxy.cut();
  });

  test('ends an idle process at once', async () => {
    const measured = await warm();

    process.kill(measured.pid, 'SIGTERM');

    expect(await measured.ended).toBe(0);
  });

  test('ends the process after 8 s even if a request is still in progress', async () => {
    expect(await hanging.ended).toBe(0);
    await underWayForever;
  });
});
