import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { close, listen, LOOPBACK } from '../ports.ts';

/** A server's reaction to one request. */
export type Responder = (response: ServerResponse, request: IncomingMessage) => void;

/** A request that the server has received. */
export interface RecordedRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

/** A server whose reactions a test defines. */
export type StubServer = Awaited<ReturnType<typeof startStubServer>>;

/** Starts it. */
export async function startStubServer() {
  const requests: RecordedRequest[] = [];
  let script: readonly Responder[] = [];
  const server = createServer((request, response) => {
    const current = script;
    void text(request).then((body) => {
      // A request of an earlier script, whose sender has given up.
      if (current !== script) return;
      const reaction = script[Math.min(requests.length, script.length - 1)];
      requests.push({
        path: request.url ?? '',
        headers: request.headers,
        body: body === '' ? undefined : JSON.parse(body),
      });
      reaction?.(response, request);
    });
  });
  return {
    /** `host:port` */
    address: `${LOOPBACK}:${await listen(server)}`,
    /** The requests since the start of the script. */
    requests: requests as readonly RecordedRequest[],
    /** Sets the reactions to the next requests, in order. The last one repeats. */
    setResponses: (...reactions: readonly Responder[]) => {
      script = reactions;
      requests.length = 0;
    },
    stop: () => close(server),
  };
}

/** Responds with JSON. */
export function respondJson(value: unknown, status = 200): Responder {
  return (response) => {
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
  };
}

/** Responds with any text. */
export function respondText(body: string, status = 200): Responder {
  return (response) => {
    response.writeHead(status).end(body);
  };
}

/** Resets the connection without a response. */
export const resetConnection: Responder = (response) => {
  response.socket?.resetAndDestroy();
};

/** Sends the start of a body, then closes the connection. */
export function truncateBody(body: string): Responder {
  return (response) => {
    response.writeHead(200, { 'Content-Length': Buffer.byteLength(body) + 10 });
    response.write(body, () => response.destroy());
  };
}

/** Never responds. */
export const neverRespond: Responder = () => undefined;
