/**
 * The limit: a bare handler that makes the service's calls over `node:https` and copies Firestore's JSON unchanged. It
 * validates nothing, decodes only what the next call needs, and uses no promises. Only fewer calls would be cheaper.
 */
import type { HttpFunction } from '@google-cloud/functions-framework';
import { request as plainRequest } from 'node:http';
import { Agent, request } from 'node:https';
import { disableDomains } from '../../../functions/src/platform/domain.ts';
import type { Call } from '../google.ts';
import { sendJson } from './json.ts';

disableDomains();

/** The calls of the service for this request, which were recorded. */
const calls = JSON.parse(process.env.BENCH_CALLS ?? '[]') as readonly Call[];
const [first, ...others] = calls;
/** What reads by name comes first: a cursor, a conversation, or the documents to write. All else is parallel. */
const read = first?.path.includes(':batchGet') === true ? first : undefined;

type Done = (json: Buffer) => void;

const agent = new Agent({ keepAlive: true, proxyEnv: process.env });
let authorization = '';

function post(path: string, body: object, done: Done): void {
  const text = JSON.stringify(body);
  const headers = {
    Authorization: authorization,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
  };
  const options = { host: 'firestore.googleapis.com', path, method: 'POST', agent, headers };
  request(options, (response) => {
    collect(response, (answer) => {
      if (response.statusCode !== 200) throw new Error(answer.toString());
      done(answer);
    });
  }).end(text);
}

function collect(response: NodeJS.ReadableStream, done: Done): void {
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  response.on('end', () => {
    done(Buffer.concat(chunks));
  });
}

/** Makes calls in parallel, and copies their responses. */
function all(parallel: readonly Call[], done: Done): void {
  const answers: Buffer[] = [];
  let left = parallel.length;
  parallel.forEach(({ path, body }, index) => {
    post(path, body, (answer) => {
      answers[index] = answer;
      left -= 1;
      if (left === 0) done(Buffer.concat(answers));
    });
  });
}

interface StoredVersion {
  readonly name: string;
  readonly updateTime: string;
}

/** The call with the versions that were read, as its preconditions. */
function withVersions({ path, body }: Call, found: Buffer): Call {
  const elements = JSON.parse(found.toString()) as { found: StoredVersion }[];
  const writes = body.writes as { update?: { name: string } }[] | undefined;
  if (writes === undefined) return { path, body };
  const versions = new Map(elements.map((each) => [each.found.name, each.found.updateTime]));
  const current = writes.map((write) => ({
    ...write,
    currentDocument: { updateTime: versions.get(write.update?.name ?? '') },
  }));
  return { path, body: { ...body, writes: current } };
}

function work(done: Done): void {
  if (read === undefined) {
    all(calls, done);
    return;
  }
  post(read.path, read.body, (found) => {
    const next = others.map((call) => withVersions(call, found));
    all(next, done);
  });
}

/** Fetches the metadata server's access token once. */
function withToken(done: () => void): void {
  if (authorization !== '') {
    done();
    return;
  }
  const url = `http://${process.env.GCE_METADATA_HOST ?? ''}/computeMetadata/v1/instance/service-accounts/default/token`;
  plainRequest(url, { headers: { 'Metadata-Flavor': 'Google' } }, (response) => {
    collect(response, (answer) => {
      const { access_token: token } = JSON.parse(answer.toString()) as { access_token: string };
      authorization = `Bearer ${token}`;
      done();
    });
  }).end();
}

export const baseline: HttpFunction = (request, response) => {
  withToken(() => {
    work((json) => {
      sendJson(request, response, json);
    });
  });
};
