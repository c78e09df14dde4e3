/** Each fault does on the wire what its name says, so that no fault test passes without its fault. */
import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import { close, listen, LOOPBACK } from '../ports.ts';
import { deliver, type FaultKind } from './faults.ts';
import { json } from './replies.ts';

const HOST = 'firestore.googleapis.com';
const LIST = json([{ result: 1 }, { result: 2 }]);

/** For each fault what the client of a list sees, and whether the call was executed when the client disconnects. */
const FAULTS: Readonly<Record<FaultKind, readonly [seen: string, isExecuted: boolean]>> = {
  refused: ['ECONNRESET', false],
  reset: ['ECONNRESET', false],
  'reset after effect': ['ECONNRESET', true],
  'reset within body': ['200, 14 of 27 bytes, ECONNRESET', true],
  hang: ['nothing more', false],
  'hang after effect': ['nothing more', true],
  'hang within body': ['200, 14 of 27 bytes, nothing more', true],
  html: ['502, a page', false],
  cut: ['200, 14 of 14 bytes', true],
  'cut in chunks': ['200, 14 of ? bytes', true],
  'error at the end': ['200, 2 results, an error', true],
  status: ['503, an error', false],
  'status after effect': ['503, an error', true],
  delayed: ['nothing more', false],
};

test.each(Object.keys(FAULTS) as FaultKind[])('the fault %s does what it says', async (kind) => {
  let isExecuted = false;
  const released = Promise.withResolvers<undefined>();
  const execute = () => {
    isExecuted = true;
    return Promise.resolve(LIST);
  };
  const server = createServer((request, response) => {
    const isStruck = request.url === '/struck';
    const executeLater = () => released.promise.then(execute);
    const reset = () => request.socket.resetAndDestroy();
    void deliver(
      {
        response,
        isList: true,
        execute: isStruck ? execute : () => Promise.resolve(LIST),
        executeLater,
        reset,
      },
      isStruck ? { host: HOST, kind } : undefined,
    );
  });
  const origin = `http://${LOOPBACK}:${await listen(server)}`;
  const client = new AbortController();

  const struck = receive(`${origin}/struck`, client.signal);
  await once(server, 'request');
  // A round trip, in which any response would arrive.
  expect(await receive(origin)).toBe('200, 2 results');
  if (FAULTS[kind][0].endsWith('nothing more')) client.abort();

  expect([await struck, isExecuted]).toEqual(FAULTS[kind]);
  // A delayed call takes effect although its client has gone.
  released.resolve(undefined);
  await released.promise;
  expect(isExecuted).toBe(kind === 'delayed' || FAULTS[kind][1]);
  close(server);
});

/** What a client sees until it disconnects. */
async function receive(address: string, disconnect?: AbortSignal): Promise<string> {
  const seen: (string | number | undefined)[] = [];
  let [body, length] = ['', '?'];
  let end: string | undefined;
  try {
    const request = get(address, { agent: false, ...(disconnect && { signal: disconnect }) });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    seen.push(response.statusCode);
    length = response.headers['content-length'] ?? '?';
    for await (const part of response.setEncoding('utf8')) body += String(part);
  } catch (error) {
    end = disconnect?.aborted ? 'nothing more' : (error as { code: string }).code;
  }
  return [...seen, ...contentOf(body, length), end].filter(Boolean).join(', ');
}

function contentOf(body: string, length: string): string[] {
  if (body === '') return [];
  if (body.startsWith('<!DOCTYPE html>')) return ['a page'];
  if (!body.endsWith(']')) return [`${body.length} of ${length} bytes`];
  const list = JSON.parse(body) as { error?: object }[];
  const errors = list.filter(({ error }) => error);
  expect(errors).toEqual(
    errors.map(() => ({
      error: { code: 503, status: 'UNAVAILABLE', message: expect.any(String) as unknown },
    })),
  );
  const results = list.length - errors.length;
  return [...(results > 0 ? [`${results} results`] : []), ...errors.map(() => 'an error')];
}
