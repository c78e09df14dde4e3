import { constants, createSecureServer, type ServerHttp2Stream } from 'node:http2';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { generate } from 'selfsigned';
import { LOOPBACK } from '../emulator/ports.ts';
import { ROOT } from '../emulator/root.ts';

const HOST = 'firestore.googleapis.com';

/** The prefix of a message: a compression flag and the length. */
const PREFIX_BYTES = 5;

/** A call with its request as JSON. */
interface GrpcCall {
  readonly method: string;
  readonly request: Readonly<Record<string, unknown>>;
}

/** The parts of the Admin SDK's own copy of google-gax that convert messages. */
interface Gax {
  readonly protobuf: {
    readonly Root: { fromJSON(json: unknown): { lookupType(name: string): Type } };
  };
  readonly serializer: {
    toProto3JSON(message: object): GrpcCall['request'];
    fromProto3JSON(type: Type, json: object): object;
  };
}

interface Type {
  decode(bytes: Uint8Array): object;
  encode(message: object): { finish(): Uint8Array };
}

/** Firestore over gRPC and TLS, as the Admin SDK reaches it in production. */
export interface GrpcReplay {
  /** Redirects `@grpc/grpc-js` to it. */
  readonly environment: Readonly<Record<string, string>>;
  calls(): number;
}

/**
 * Starts a server that forwards each distinct request once to a Firestore emulator, which needs REST only, and replays
 * the response from then on. A commit gets the recorded response of one with the same number of writes.
 */
export async function startGrpcReplay(firestoreAddress: string): Promise<GrpcReplay> {
  const protocol = loadProtocol();
  const answers = new Map<string, Promise<Buffer>>();
  let calls = 0;

  /** The messages of the response to a call, which the Firestore emulator gives over REST. */
  async function ask({ method, request }: GrpcCall): Promise<Buffer> {
    const { parent, database, ...body } = request as { parent?: string; database?: string };
    const resource = parent ?? `${database ?? ''}/documents`;
    const word = method
      .replace(/^Batch.*/, 'batchGet')
      .replace(/^./, (first) => first.toLowerCase());
    const response = await fetch(`http://${firestoreAddress}/v1/${resource}:${word}`, {
      method: 'POST',
      headers: { authorization: 'Bearer owner' },
      body: JSON.stringify(body),
    });
    const json = (await response.json()) as object;
    if (!response.ok) throw new Error(JSON.stringify(json));
    const messages = Array.isArray(json) ? (json as object[]) : [json];
    return Buffer.concat(messages.map((message) => framed(protocol.encode(method, message))));
  }

  async function serve(stream: ServerHttp2Stream, path: string): Promise<void> {
    calls += 1;
    const method = path.slice(path.lastIndexOf('/') + 1);
    const request = protocol.decode(method, (await buffer(stream)).subarray(PREFIX_BYTES));
    const { writes } = request;
    const same = method === 'Commit' ? (writes as unknown[]).length : JSON.stringify(request);
    const key = `${method} ${same}`;
    const known = answers.get(key) ?? ask({ method, request });
    answers.set(key, known);
    const body = await known;
    stream.respond(
      { ':status': 200, 'content-type': 'application/grpc' },
      { waitForTrailers: true },
    );
    stream.once('wantTrailers', () => {
      stream.sendTrailers({ 'grpc-status': '0' });
    });
    stream.end(body);
  }

  const certificate = await generate([{ name: 'commonName', value: HOST }], {
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: HOST }] }],
  });
  const server = createSecureServer({ key: certificate.private, cert: certificate.cert });
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    serve(stream, headers[':path'] ?? '').catch(() => {
      stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    });
  });

  const proxy = createServer();
  proxy.on('connect', (_request, socket: Socket, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    socket.setNoDelay(true);
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    if (head.length > 0) socket.unshift(head);
    server.emit('connection', socket);
  });
  await new Promise<void>((resolve) => proxy.listen(0, LOOPBACK, resolve));
  const { port } = proxy.address() as AddressInfo;

  const roots = join(await mkdtemp(join(tmpdir(), 'grpc-')), 'certificate.pem');
  await writeFile(roots, certificate.cert);
  return {
    environment: {
      grpc_proxy: `http://${LOOPBACK}:${port}`,
      GRPC_DEFAULT_SSL_ROOTS_FILE_PATH: roots,
    },
    calls: () => calls,
  };
}

/** A message with its prefix. */
function framed(message: Uint8Array): Buffer {
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

/** Converts requests and responses between bytes and JSON. */
function loadProtocol() {
  const admin = createRequire(createRequire(join(ROOT, 'package.json')).resolve('firebase-admin'));
  const firestore = createRequire(admin.resolve('@google-cloud/firestore'));
  const { protobuf, serializer } = firestore('google-gax') as Gax;
  const root = protobuf.Root.fromJSON(admin('@google-cloud/firestore/build/protos/v1.json'));
  const typeOf = (name: string) => root.lookupType(`google.firestore.v1.${name}`);
  return {
    decode: (method: string, bytes: Uint8Array) =>
      serializer.toProto3JSON(typeOf(`${method}Request`).decode(bytes)),
    encode: (method: string, json: object) => {
      const type = typeOf(`${method}Response`);
      return type.encode(serializer.fromProto3JSON(type, json)).finish();
    },
  };
}
