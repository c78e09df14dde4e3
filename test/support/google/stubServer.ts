import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { close, listen, LOOPBACK } from '../../../dev/ports.ts';

/** Responds to a request, or disturbs its connection. */
export type Responder = (response: ServerResponse, request: IncomingMessage) => void;

/** A request that the server has received. */
export interface RecordedRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

/** A server whose responses a test defines. */
export type StubServer = Awaited<ReturnType<typeof startStubServer>>;

/** Starts a stub server. */
export async function startStubServer() {
  const requests: RecordedRequest[] = [];
  let responders: readonly Responder[] = [];
  const server = createServer((request, response) => {
    const respondersBefore = responders;
    void text(request).then((body) => {
      // Ignore a request of an earlier test, whose client has disconnected.
      if (responders !== respondersBefore) return;
      const respond = responders[Math.min(requests.length, responders.length - 1)];
      requests.push({
        path: request.url ?? '',
        headers: request.headers,
        body: body === '' ? undefined : JSON.parse(body),
      });
      respond?.(response, request);
    });
  });
  return {
    /** `host:port` */
    address: `${LOOPBACK}:${await listen(server)}`,
    /** The requests since `setResponses`. */
    requests: requests as readonly RecordedRequest[],
    /** Sets the responses to the next requests, in order. The last response repeats. */
    setResponses: (...nextResponders: readonly Responder[]) => {
      responders = nextResponders;
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

/** Responds with a text. */
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
