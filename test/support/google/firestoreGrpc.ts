import { createSecureServer, createServer, type ServerHttp2Stream } from 'node:http2';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { listen, LOOPBACK } from '../../../dev/ports.ts';
import { ROOT } from '../../../dev/root.ts';

/** The prefix of a message: a compression flag and the length. */
const PREFIX_BYTES = 5;

/** The parts of the Admin SDK's own copy of google-gax that convert messages. */
interface Gax {
  readonly protobuf: {
    readonly Root: { fromJSON(json: unknown): { lookupType(name: string): Type } };
  };
  readonly serializer: {
    toProto3JSON(message: object): object;
    fromProto3JSON(type: Type, json: object): object;
  };
}

interface Type {
  decode(bytes: Uint8Array): object;
  encode(message: object): { finish(): Uint8Array };
}

/** The numbers of gRPC's statuses. */
const STATUSES = {
  OK: 0,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  ABORTED: 10,
  UNAVAILABLE: 14,
} as const;

/** The end of a response: a status, or a closed connection. */
export type GrpcOutcome = keyof typeof STATUSES | 'DISCONNECTED';

/** Loads Firestore's gRPC messages. Returns functions that encode messages from the JSON of its REST API, and start a server. */
export function loadFirestoreGrpc() {
  // The packages that the Admin SDK itself uses.
  const admin = createRequire(createRequire(join(ROOT, 'package.json')).resolve('firebase-admin'));
  const firestore = createRequire(admin.resolve('@google-cloud/firestore/package.json'));
  const { protobuf, serializer } = firestore('google-gax') as Gax;
  const types = protobuf.Root.fromJSON(firestore('./build/protos/v1.json'));
  const lookUpType = (name: string) => types.lookupType(`google.firestore.v1.${name}`);

  /** Encodes the messages of a response to a method (`RunQuery`). */
  function encode(method: string, messages: readonly object[]): Buffer {
    const type = lookUpType(`${method}Response`);
    const parts = messages.flatMap((json) => {
      const message = type.encode(serializer.fromProto3JSON(type, json)).finish();
      const prefix = Buffer.alloc(PREFIX_BYTES);
      prefix.writeUInt32BE(message.length, 1);
      return [prefix, message];
    });
    return Buffer.concat(parts);
  }

  /** Starts a server, with TLS if it has a certificate. `respond` returns encoded messages and the outcome. */
  async function start(
    respond: (method: string, request: object) => Promise<readonly [Buffer, GrpcOutcome]>,
    certificate?: { readonly key: string; readonly cert: string },
  ) {
    const server = certificate ? createSecureServer(certificate) : createServer();
    const serve = async (stream: ServerHttp2Stream, path = '') => {
      const method = path.slice(path.lastIndexOf('/') + 1);
      const bytes = (await buffer(stream)).subarray(PREFIX_BYTES);
      const request = serializer.toProto3JSON(lookUpType(`${method}Request`).decode(bytes));
      const [body, outcome] = await respond(method, request);
      stream.respond({ 'content-type': 'application/grpc' }, { waitForTrailers: true });
      if (outcome === 'DISCONNECTED') {
        stream.write(body, () => stream.session?.destroy());
        return;
      }
      stream.on('wantTrailers', () => {
        stream.sendTrailers({ 'grpc-status': STATUSES[outcome], 'grpc-message': 'injected' });
      });
      stream.end(body);
    };
    server.on('stream', (stream, headers) => {
      serve(stream, headers[':path']).catch(() => {
        stream.destroy();
      });
    });
    const host = `${LOOPBACK}:${await listen(server)}`;
    return { host, stop: promisify(server.close.bind(server)) };
  }

  return { encode, start };
}
