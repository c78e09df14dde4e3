/** Each injected fault of the simulation does what its name says on the wire. */
import { readFile } from 'node:fs/promises';
import { request as plainRequest, type ClientRequest } from 'node:http';
import { Agent, request as tlsRequest } from 'node:https';
import { startEmbeddedFirestore } from '../firestore/server.ts';
import type { FaultKind } from './faults.ts';
import { startGoogle, type Google } from './google.ts';

const PROJECT = 'demo-google';
const FIRESTORE = 'firestore.googleapis.com';
const ROOT = `projects/${PROJECT}/databases/(default)/documents`;
const KEYS = '/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com';
const TOKEN = '/computeMetadata/v1/instance/service-accounts/default/token';

/** What a client has received of a response, and the error that interrupted it, if any. */
interface Outcome {
  readonly status?: number;
  readonly length?: string;
  readonly body: string;
  readonly error?: string;
}

/** A request in progress. */
interface PendingRequest {
  readonly outcome: Promise<Outcome>;
  /** Resolves when a part of the response body has arrived. */
  readonly started: Promise<unknown>;
  abort(): void;
}

/** A client that uses the simulation like a deployed function. */
class Client {
  readonly #google: Google;
  readonly #agent: Agent;

  constructor(google: Google, agent: Agent) {
    this.#google = google;
    this.#agent = agent;
  }

  /** Calls a method of Firestore. */
  call(method: string, body: object, token: string): PendingRequest {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const path = `/v1/${ROOT}:${method}`;
    return send(
      tlsRequest({ agent: this.#agent, host: FIRESTORE, path, method: 'POST', headers }),
      JSON.stringify(body),
    );
  }

  get(host: string, path: string): PendingRequest {
    return send(tlsRequest({ agent: this.#agent, host, path }));
  }

  metadata(path: string): PendingRequest {
    const { GCE_METADATA_HOST: host = '' } = this.#google.environment;
    return send(
      plainRequest(`http://${host}${path}`, { headers: { 'metadata-flavor': 'Google' } }),
    );
  }

  async token(): Promise<string> {
    const { body } = await this.metadata(TOKEN).outcome;
    return (JSON.parse(body) as { access_token: string }).access_token;
  }

  async write(text: string): Promise<Outcome> {
    return this.call('commit', writeOf(text), await this.token()).outcome;
  }

  /** The stored text; undefined if nothing is stored. */
  async stored(): Promise<string | undefined> {
    const documents = [`${ROOT}/a/b`];
    const { body } = await this.call('batchGet', { documents }, await this.token()).outcome;
    const [{ found } = {}] = JSON.parse(body) as {
      found?: { fields: { text: { stringValue: string } } };
    }[];
    return found?.fields.text.stringValue;
  }
}

function writeOf(text: string): object {
  return { writes: [{ update: { name: `${ROOT}/a/b`, fields: { text: { stringValue: text } } } }] };
}

function send(request: ClientRequest, body?: string): PendingRequest {
  const { promise: outcome, resolve } = Promise.withResolvers<Outcome>();
  const { promise: started, resolve: begin } = Promise.withResolvers<undefined>();
  let seen: Outcome = { body: '' };
  const breakOff = (error: Error & { code?: string }) => {
    resolve({ ...seen, error: error.code ?? error.message });
  };
  request.once('error', breakOff);
  request.once('response', (response) => {
    const length = response.headers['content-length'];
    seen = { status: response.statusCode ?? 0, body: '', ...(length && { length }) };
    response.setEncoding('utf8');
    response.on('data', (part: string) => {
      seen = { ...seen, body: seen.body + part };
      begin(undefined);
    });
    response.once('error', breakOff);
    response.once('end', () => {
      resolve(seen);
    });
  });
  request.end(body);
  return {
    outcome,
    started,
    abort: () => request.destroy(new Error('aborted')),
  };
}

/** Runs a simulation with an embedded Firestore, and stops both afterwards. */
async function withGoogle(
  use: (google: Google, client: Client) => Promise<void>,
  replays = false,
): Promise<void> {
  const embedded = await startEmbeddedFirestore();
  const firestoreAddress = embedded.address;
  const google = await startGoogle({ projectId: PROJECT, firestoreAddress, replays });
  const ca = await readFile(google.environment.NODE_EXTRA_CA_CERTS ?? '');
  const agent = new Agent({ keepAlive: true, ca, proxyEnv: google.environment });
  try {
    await use(google, new Client(google, agent));
  } finally {
    agent.destroy();
    await google.stop();
    await embedded.stop();
  }
}

describe('the simulation of Google', () => {
  test('forwards requests with its access token to Firestore', async () => {
    await withGoogle(async (google, client) => {
      const { status, body } = await client.write('a');
      const refused = await client.call('commit', writeOf('b'), 'another').outcome;

      expect([status, JSON.parse(body)]).toMatchObject([200, { writeResults: [{}] }]);
      expect(refused.status).toBe(401);
      expect(await client.stored()).toBe('a');
      expect(google.requestCounts.get(`${FIRESTORE} commit`)).toBe(2);
    });
  });

  test('treats a token as expired after expireAccessTokens, until a new one is fetched', async () => {
    await withGoogle(async (google, client) => {
      const old = await client.token();
      google.expireAccessTokens();

      expect((await client.call('commit', writeOf('a'), old).outcome).status).toBe(401);
      expect((await client.write('b')).status).toBe(200);
    });
  });

  test('records requests in order', async () => {
    await withGoogle(async (google, client) => {
      await client.write('a');
      await client.stored();
      await google.seen(FIRESTORE, 'batchGet', 1);

      expect(google.requests.map(({ host, call }) => `${host} ${call}`)).toEqual([
        'metadata token',
        `${FIRESTORE} commit`,
        'metadata token',
        `${FIRESTORE} batchGet`,
      ]);
      const times = google.requests.map(({ at }) => at);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
    });
  });

  test('replays the recorded response, even for writes', async () => {
    await withGoogle(async (_google, client) => {
      const first = await client.write('a');
      const second = await client.write('b');

      expect(second.body).toBe(first.body);
      expect(await client.stored()).toBe('a');
    }, true);
  });

  test('blocks connections to hosts other than Google’s', async () => {
    await withGoogle(async (google, client) => {
      const { status, error } = await client.get('example.com', '/').outcome;

      expect(status).toBeUndefined();
      expect(error).toBeDefined();
      expect(google.requestCounts.get('example.com refused')).toBe(1);
    });
  });
});

describe('a fault of a commit', () => {
  /** The result at the client, and whether the commit took effect. */
  test.each<[FaultKind, Partial<Outcome>, 'done' | 'not done']>([
    ['refused', { error: 'ECONNRESET', body: '' }, 'not done'],
    ['reset', { error: 'ECONNRESET', body: '' }, 'not done'],
    ['reset after effect', { error: 'ECONNRESET', body: '' }, 'done'],
    ['reset within body', { error: 'ECONNRESET', status: 200 }, 'done'],
    [
      'html',
      { status: 502, body: expect.stringContaining('<!DOCTYPE html>') as string },
      'not done',
    ],
    ['cut', { status: 200 }, 'done'],
    ['cut in chunks', { status: 200 }, 'done'],
    [
      'error at the end',
      { status: 200, body: expect.stringContaining('"error"') as string },
      'done',
    ],
    ['status', { status: 503, body: expect.stringContaining('UNAVAILABLE') as string }, 'not done'],
  ])('of kind %j does what its name says', async (kind, expected, effect) => {
    await withGoogle(async (google, client) => {
      await client.write('before');
      google.fault({ host: FIRESTORE, call: 'commit', kind, times: 1 });

      const outcome = await client.write('after');

      await google.heal();

      expect(outcome).toMatchObject(expected);
      expect(await client.stored()).toBe(effect === 'done' ? 'after' : 'before');
      expect((await client.write('healed')).status).toBe(200);
    });
  });

  test.each<FaultKind>(['cut', 'cut in chunks', 'reset within body'])(
    'of kind %j leads to JSON that does not parse',
    async (kind) => {
      await withGoogle(async (google, client) => {
        google.fault({ host: FIRESTORE, kind, times: 1 });

        const { body, length, error } = await client.write('a');

        expect(body).toMatch(/^\{"/);
        expect(() => JSON.parse(body) as unknown).toThrow(SyntaxError);
        expect(length === undefined).toBe(kind === 'cut in chunks');
        expect(length === String(body.length)).toBe(kind === 'cut');
        expect(error === undefined).toBe(kind !== 'reset within body');
      });
    },
  );

  test.each<[FaultKind, string | undefined]>([
    ['hang', undefined],
    ['hang after effect', 'a'],
  ])('of kind %j leads to no response', async (kind, stored) => {
    await withGoogle(async (google, client) => {
      google.fault({ host: FIRESTORE, call: 'commit', kind });
      const pending = client.call('commit', writeOf('a'), await client.token());

      await google.seen(FIRESTORE, 'commit', 1);
      expect(await client.stored()).toBe(stored);
      pending.abort();

      expect(await pending.outcome).toEqual({ body: '', error: 'aborted' });
    });
  });

  test('of kind "hang within body" stops in the middle', async () => {
    await withGoogle(async (google, client) => {
      google.fault({ host: FIRESTORE, call: 'commit', kind: 'hang within body' });
      const pending = client.call('commit', writeOf('a'), await client.token());

      await pending.started;
      expect(await client.stored()).toBe('a');
      pending.abort();

      const { status, body, length } = await pending.outcome;
      expect(status).toBe(200);
      expect(body.length).toBe(Math.ceil(Number(length) / 2));
    });
  });

  test('of kind "delayed" takes effect when it is released, even after its client has disconnected', async () => {
    await withGoogle(async (google, client) => {
      google.fault({ host: FIRESTORE, call: 'commit', kind: 'delayed', times: 1 });
      const slow = client.call('commit', writeOf('slow'), await client.token());
      await google.seen(FIRESTORE, 'commit', 1);
      slow.abort();
      await client.write('newer');
      expect(await client.stored()).toBe('newer');

      await google.release();

      expect(await client.stored()).toBe('slow');
      expect((await slow.outcome).error).toBe('aborted');
    });
  });

  test.each([401, 409, 429, 500, 503, 504])(
    'of kind "status" can be %d, in Google’s error format',
    async (status) => {
      await withGoogle(async (google, client) => {
        google.fault({ host: FIRESTORE, kind: 'status', status });

        const outcome = await client.write('a');

        expect([outcome.status, JSON.parse(outcome.body)]).toMatchObject([
          status,
          { error: { code: status } },
        ]);
      });
    },
  );
});

describe('a fault of a query', () => {
  const query = { structuredQuery: { from: [{ collectionId: 'a' }] } };

  test('adds an error to the end of a list', async () => {
    await withGoogle(async (google, client) => {
      await client.write('a');
      google.fault({ host: FIRESTORE, call: 'runQuery', kind: 'error at the end' });

      const { status, body } = await client.call('runQuery', query, await client.token()).outcome;

      expect(status).toBe(200);
      expect(JSON.parse(body)).toMatchObject([
        { document: { name: `${ROOT}/a/b` } },
        { error: { code: 503 } },
      ]);
    });
  });

  test('with an error status has the error in a list', async () => {
    await withGoogle(async (google, client) => {
      google.fault({ host: FIRESTORE, call: 'runQuery', kind: 'status', status: 429 });

      const { status, body } = await client.call('runQuery', query, await client.token()).outcome;

      expect([status, JSON.parse(body)]).toMatchObject([
        429,
        [{ error: { status: 'RESOURCE_EXHAUSTED' } }],
      ]);
    });
  });

  test('does not affect other calls', async () => {
    await withGoogle(async (google, client) => {
      google.fault({ host: FIRESTORE, call: 'runQuery', kind: 'reset' });

      expect((await client.write('a')).status).toBe(200);
    });
  });
});

describe('a refused host', () => {
  test('resets open connections, refuses new ones, and recovers', async () => {
    await withGoogle(async (google, client) => {
      google.fault({ host: FIRESTORE, call: 'commit', kind: 'hang' });
      const open = client.call('commit', writeOf('a'), await client.token());
      await google.seen(FIRESTORE, 'commit', 1);

      google.fault({ host: FIRESTORE, kind: 'refused' });

      expect((await open.outcome).error).toBe('ECONNRESET');
      expect(await client.write('b')).toEqual({ body: '', error: 'ECONNRESET' });
      await google.heal();
      expect((await client.write('c')).status).toBe(200);
    });
  });
});

describe('the metadata server', () => {
  test('is unreachable until it is healed', async () => {
    await withGoogle(async (google, client) => {
      google.fault({ host: 'metadata', kind: 'refused' });

      expect((await client.metadata(TOKEN).outcome).error).toBe('ECONNREFUSED');
      await google.heal();
      expect((await client.metadata(TOKEN).outcome).status).toBe(200);
    });
  });

  test('hangs', async () => {
    await withGoogle(async (google, client) => {
      google.fault({ host: 'metadata', call: 'token', kind: 'hang' });
      const pending = client.metadata(TOKEN);
      await google.seen('metadata', 'token', 1);
      pending.abort();

      expect(await pending.outcome).toEqual({ body: '', error: 'aborted' });
      expect((await client.metadata('/computeMetadata/v1/project/project-id').outcome).body).toBe(
        PROJECT,
      );
    });
  });
});

describe('the public keys', () => {
  const documents = [
    ['www.googleapis.com', KEYS],
    ['firebaseappcheck.googleapis.com', '/v1/jwks'],
  ] as const;

  test.each(documents)('of %s can fail in several ways', async (host, path) => {
    await withGoogle(async (google, client) => {
      const right = await client.get(host, path).outcome;
      const withFault = async (kind: FaultKind) => {
        google.fault({ host, kind });
        const outcome = await client.get(host, path).outcome;
        await google.heal();
        return outcome;
      };

      expect((await withFault('empty')).body).toBe('{}');
      expect(await withFault('html')).toMatchObject({ status: 502 });
      expect(await withFault('status')).toMatchObject({ status: 503 });
      expect((await withFault('refused')).error).toBe('ECONNRESET');
      const another = await withFault('another key');
      expect(another.status).toBe(200);
      expect(keyIds(another.body)).toHaveLength(1);
      expect(keyIds(another.body)).not.toEqual(keyIds(right.body));
      expect(await client.get(host, path).outcome).toEqual(right);
    });
  });

  function keyIds(body: string): string[] {
    const json = JSON.parse(body) as { keys?: { kid: string }[] };
    return json.keys?.map(({ kid }) => kid) ?? Object.keys(json);
  }
});
