import { createServer, type ServerHttp2Stream } from 'node:http2';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { listen, LOOPBACK } from '../../dev/ports.ts';
import { loadFirestoreMessages } from '../../dev/google/firestoreMessages.ts';

const { decodeRequest, encodeResponse } = loadFirestoreMessages();

/** The numbers of gRPC's statuses. */
const STATUSES = {
  OK: 0,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  ABORTED: 10,
  UNAVAILABLE: 14,
} as const;

/** How a response ends: with a status, or because the connection is closed. */
export type Ending = keyof typeof STATUSES | 'CLOSED';

/** A response: its messages, as Firestore's REST API writes them, and how it ends (without it: `OK`). */
interface GrpcResponse {
  readonly messages?: readonly object[];
  readonly ending?: Ending;
}

/** Starts a Firestore over gRPC, without TLS; `respond` gets the request and how many there were before. */
export async function startScriptedGrpc(respond: (request: object, n: number) => GrpcResponse) {
  let calls = 0;

  async function serve(stream: ServerHttp2Stream, path: string): Promise<void> {
    const method = path.slice(path.lastIndexOf('/') + 1);
    const request = decodeRequest(method, await buffer(stream));
    const { messages = [], ending = 'OK' } = respond(request, calls++);
    stream.respond({ 'content-type': 'application/grpc' }, { waitForTrailers: true });
    const body = Buffer.concat(messages.map((message) => encodeResponse(method, message)));
    if (ending === 'CLOSED') {
      stream.write(body, () => stream.session?.destroy());
      return;
    }
    stream.on('wantTrailers', () => {
      stream.sendTrailers({ 'grpc-status': STATUSES[ending], 'grpc-message': 'scripted' });
    });
    stream.end(body);
  }

  const server = createServer();
  server.on('stream', (stream, headers) => {
    serve(stream, headers[':path'] ?? '').catch(() => {
      stream.destroy();
    });
  });
  const host = `${LOOPBACK}:${await listen(server)}`;
  return { host, stop: promisify(server.close.bind(server)) };
}
