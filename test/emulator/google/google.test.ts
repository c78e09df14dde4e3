/** Each fault of the simulation does on the wire what its name says, so that no fault test passes without its fault. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request as plainRequest, type IncomingMessage } from 'node:http';
import { Agent, request as tlsRequest } from 'node:https';
import { startEmbeddedFirestore, type EmbeddedFirestore } from '../firestore/server.ts';
import type { FaultKind } from './faults.ts';
import { startGoogle, type Google } from './google.ts';

const PROJECT = 'demo-google';
const FIRESTORE = 'firestore.googleapis.com';
const ROOT = `projects/${PROJECT}/databases/(default)/documents`;
const TOKEN = '/computeMetadata/v1/instance/service-accounts/default/token';
const QUERY = { structuredQuery: { from: [{ collectionId: 'a' }] } };

/** What a client has received of a response, and the error that interrupted it, if any. */
interface Outcome {
  readonly status?: number;
  readonly length?: string;
  readonly body: string;
  readonly error?: string;
}

interface Options {
  readonly token?: string;
  readonly body?: object;
  readonly signal?: AbortSignal;
  /** Called when a part of the response body has arrived. */
  readonly onBody?: () => void;
}

let embedded: EmbeddedFirestore;
let google: Google;
let agent: Agent;

beforeAll(async () => {
  embedded = await startEmbeddedFirestore();
  google = await startGoogle({ projectId: PROJECT, firestoreAddress: embedded.address });
  agent = await agentOf(google);
});

afterEach(async () => {
  await google.heal();
  await google.release();
});

afterAll(async () => {
  agent.destroy();
  await google.stop();
  await embedded.stop();
});

/** Connections through the simulation, like those of a deployed function. */
async function agentOf({ environment }: Google): Promise<Agent> {
  const ca = await readFile(environment.NODE_EXTRA_CA_CERTS ?? '');
  return new Agent({ keepAlive: true, ca, proxyEnv: environment });
}

/** Sends a request to a host, or to the metadata server. */
async function send(
  host: string,
  path: string,
  { token = '', body, signal, onBody }: Options = {},
): Promise<Outcome> {
  const options = {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(signal && { signal }),
  };
  const { GCE_METADATA_HOST: metadata = '' } = google.environment;
  const request =
    host === 'metadata'
      ? plainRequest(`http://${metadata}${path}`, { ...options, agent: false })
      : tlsRequest({ ...options, agent, host, path });
  // An error after the response also comes to its reader.
  request.on('error', () => undefined);
  request.end(body && JSON.stringify(body));
  let seen: Outcome = { body: '' };
  try {
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const length = response.headers['content-length'];
    seen = { status: response.statusCode ?? 0, body: '', ...(length && { length }) };
    for await (const part of response.setEncoding('utf8')) {
      seen = { ...seen, body: seen.body + String(part) };
      onBody?.();
    }
    return seen;
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    return { ...seen, error: signal?.aborted ? 'aborted' : (code ?? message) };
  }
}

async function accessToken(): Promise<string> {
  return (JSON.parse((await send('metadata', TOKEN)).body) as { access_token: string })
    .access_token;
}

/** Calls a method of Firestore, with a valid token by default. */
async function call(method: string, body: object, options: Options = {}): Promise<Outcome> {
  const token = options.token ?? (await accessToken());
  return send(FIRESTORE, `/v1/${ROOT}:${method}`, { ...options, token, body });
}

async function write(id: string, value: string, options?: Options): Promise<Outcome> {
  const fields = { text: { stringValue: value } };
  return call('commit', { writes: [{ update: { name: `${ROOT}/a/${id}`, fields } }] }, options);
}

/** The stored text; undefined if nothing is stored. */
async function stored(id: string): Promise<string | undefined> {
  const { body } = await call('batchGet', { documents: [`${ROOT}/a/${id}`] });
  const [{ found } = {}] = JSON.parse(body) as {
    found?: { fields: { text: { stringValue: string } } };
  }[];
  return found?.fields.text.stringValue;
}

/** What a client has seen, in words. */
function summary({ status, length, body, error }: Outcome): string {
  return [status, bodySummary(body, length), error].filter((part) => part !== undefined).join(', ');
}

function bodySummary(body: string, length = 'in chunks'): string | undefined {
  if (body === '') return undefined;
  if (body.startsWith('<!DOCTYPE html>')) return 'a page';
  // Only a whole body ends like this.
  if (body.endsWith('}')) return body.startsWith('{"error"') ? 'an error' : 'a result';
  if (Number(length) === body.length) return 'half as a whole';
  return body.length === Math.ceil(Number(length) / 2) ? 'half' : `half ${length}`;
}

/** For each fault of a commit what its client sees, and the document afterwards. */
const FAULTS: Readonly<Record<FaultKind, readonly [seen: string, stored: 'before' | 'after']>> = {
  refused: ['ECONNRESET', 'before'],
  reset: ['ECONNRESET', 'before'],
  'reset after effect': ['ECONNRESET', 'after'],
  'reset within body': ['200, half, ECONNRESET', 'after'],
  hang: ['aborted', 'before'],
  'hang after effect': ['aborted', 'after'],
  'hang within body': ['200, half, aborted', 'after'],
  html: ['502, a page', 'before'],
  cut: ['200, half as a whole', 'after'],
  'cut in chunks': ['200, half in chunks', 'after'],
  'error at the end': ['200, an error', 'after'],
  status: ['503, an error', 'before'],
  'status after effect': ['503, an error', 'after'],
  delayed: ['aborted', 'before'],
};

test.each(Object.entries(FAULTS) as [FaultKind, (typeof FAULTS)[FaultKind]][])(
  'a commit with the fault %j: its client sees and stores %j',
  async (kind, [seen, result]) => {
    await write(kind, 'before');
    google.fault({ host: FIRESTORE, call: 'commit', kind, times: 1 });
    const client = new AbortController();
    const body = Promise.withResolvers<undefined>();
    const sent = google.requestCounts.get(`${FIRESTORE} commit`) ?? 0;

    const outcome = write(kind, 'after', {
      signal: client.signal,
      onBody: () => {
        body.resolve(undefined);
      },
    });
    if (seen.endsWith('aborted')) {
      await google.seen(FIRESTORE, 'commit', sent + 1);
      if (kind === 'hang within body') await body.promise;
      // A round trip, in which any response would arrive.
      await stored(kind);
      client.abort();
    }

    expect(summary(await outcome)).toBe(seen);
    await google.heal();
    expect(await stored(kind)).toBe(result);
    // A delayed commit takes effect although its client has gone.
    await google.release();
    expect(await stored(kind)).toBe(kind === 'delayed' ? 'after' : result);
    expect((await write(kind, 'healed')).status).toBe(200);
  },
);

test.each([400, 401, 403, 404, 409, 429, 500, 503, 504])(
  'the status %d comes in Google’s error format, in a list for a query, and only for the calls with the fault',
  async (status) => {
    google.fault({ host: FIRESTORE, call: 'commit', kind: 'status', status, times: 1 });
    google.fault({ host: FIRESTORE, call: 'runQuery', kind: 'status', status });
    const error = { code: status, status: expect.stringMatching(/^[A-Z_]+$/) as unknown };

    const outcomes = [await write('status', 'a'), await call('runQuery', QUERY)];

    expect(outcomes.map((outcome) => outcome.status)).toEqual([status, status]);
    expect(outcomes.map(({ body }) => JSON.parse(body) as unknown)).toMatchObject([
      { error },
      [{ error }],
    ]);
    expect((await write('status', 'b')).status).toBe(200);
  },
);

test('the fault "error at the end" adds an error to a list', async () => {
  await write('listed', 'a');
  google.fault({ host: FIRESTORE, call: 'runQuery', kind: 'error at the end' });

  const { status, body } = await call('runQuery', QUERY);

  const list = JSON.parse(body) as object[];
  expect([status, list[0], list.at(-1)]).toMatchObject([
    200,
    { document: {} },
    { error: { code: 503 } },
  ]);
});

test('a refused host resets open connections', async () => {
  google.fault({ host: FIRESTORE, call: 'commit', kind: 'hang' });
  const sent = google.requestCounts.get(`${FIRESTORE} commit`) ?? 0;
  const open = write('refused', 'a');
  await google.seen(FIRESTORE, 'commit', sent + 1);

  google.fault({ host: FIRESTORE, kind: 'refused' });

  expect(await open).toEqual({ body: '', error: 'ECONNRESET' });
});

test('the metadata server can be unreachable, or hang', async () => {
  google.fault({ host: 'metadata', kind: 'refused' });
  expect((await send('metadata', TOKEN)).error).toBe('ECONNREFUSED');
  await google.heal();

  google.fault({ host: 'metadata', call: 'token', kind: 'hang' });
  const client = new AbortController();
  const sent = google.requestCounts.get('metadata token') ?? 0;
  const pending = send('metadata', TOKEN, { signal: client.signal });
  await google.seen('metadata', 'token', sent + 1);
  // Other calls are served meanwhile.
  expect((await send('metadata', '/computeMetadata/v1/project/project-id')).body).toBe(PROJECT);
  client.abort();

  expect(await pending).toEqual({ body: '', error: 'aborted' });
});

test('Firestore needs the access token of the metadata server, until it expires', async () => {
  const token = await accessToken();

  expect((await write('token', 'a', { token })).status).toBe(200);
  expect((await write('token', 'b', { token: 'another' })).status).toBe(401);
  google.expireAccessTokens();
  expect((await write('token', 'c', { token })).status).toBe(401);
  expect(await stored('token')).toBe('a');
});

test('requests are recorded in order, and other hosts are blocked', async () => {
  const before = google.requests.length;

  await write('recorded', 'a');
  const { status, error } = await send('example.com', '/');

  expect(google.requests.slice(before)).toEqual(['metadata token', `${FIRESTORE} commit`]);
  expect(status).toBeUndefined();
  expect(error).toBeDefined();
  expect(google.requestCounts.get('example.com refused')).toBe(1);
});

test('a recorded response is replayed, even for writes', async () => {
  const [real, realAgent] = [google, agent];
  const firestoreAddress = embedded.address;
  google = await startGoogle({ projectId: PROJECT, firestoreAddress, replays: true });
  agent = await agentOf(google);
  try {
    const first = await write('replayed', 'a');
    const second = await write('replayed', 'b');

    expect(second.body).toBe(first.body);
    expect(await stored('replayed')).toBe('a');
  } finally {
    agent.destroy();
    await google.stop();
    [google, agent] = [real, realAgent];
  }
});
