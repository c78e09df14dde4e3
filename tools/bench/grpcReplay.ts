import { constants, createSecureServer, type ServerHttp2Stream } from 'node:http2';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { generate } from 'selfsigned';
import { passOn } from '../../dev/google/replies.ts';
import { LOOPBACK, listen } from '../../dev/ports.ts';
import { ROOT } from '../../dev/root.ts';

const HOST = 'firestore.googleapis.com';
/** The prefix of a message: a compression flag and the length. */
const PREFIX_BYTES = 5;

/** The parts of the Admin SDK's own copy of google-gax that convert messages. */
interface Gax {
  readonly protobuf: {
    readonly Root: { fromJSON(json: unknown): { lookupType(name: string): Type } };
  };
  readonly serializer: {
    toProto3JSON(message: object): Request;
    fromProto3JSON(type: Type, json: object): object;
  };
}

/** A request as JSON. */
interface Request {
  readonly parent?: string;
  readonly database?: string;
  readonly writes?: readonly unknown[];
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
 * Starts a server that passes each distinct request once to a Firestore over REST, and replays the response from then
 * on. A commit gets the recorded response of one with the same number of writes.
 */
export async function startGrpcReplay(firestoreAddress: string): Promise<GrpcReplay> {
  const admin = createRequire(createRequire(join(ROOT, 'package.json')).resolve('firebase-admin'));
  const firestore = createRequire(admin.resolve('@google-cloud/firestore'));
  const { protobuf, serializer } = firestore('google-gax') as Gax;
  const types = protobuf.Root.fromJSON(admin('@google-cloud/firestore/build/protos/v1.json'));
  const typeOf = (name: string) => types.lookupType(`google.firestore.v1.${name}`);
  const answers = new Map<string, Promise<Buffer>>();
  let calls = 0;

  /** The messages of the response to a call. */
  async function ask(method: string, request: Request): Promise<Buffer> {
    const { parent, database = '', ...body } = request;
    const resource = parent ?? `${database}/documents`;
    const word = method.replace(/^Batch.*/, 'batchGet');
    const path = `/v1/${resource}:${word.charAt(0).toLowerCase()}${word.slice(1)}`;
    const reply = await passOn(firestoreAddress, path, JSON.stringify(body));
    if (reply.status !== 200) throw new Error(reply.body.toString());
    const type = typeOf(`${method}Response`);
    const messages = [JSON.parse(reply.body.toString()) as object | object[]].flat().map((json) => {
      const message = type.encode(serializer.fromProto3JSON(type, json)).finish();
      const prefix = Buffer.alloc(PREFIX_BYTES);
      prefix.writeUInt32BE(message.length, 1);
      return [prefix, message];
    });
    return Buffer.concat(messages.flat());
  }

  async function serve(stream: ServerHttp2Stream, path: string): Promise<void> {
    calls += 1;
    const method = path.slice(path.lastIndexOf('/') + 1);
    const sent = (await buffer(stream)).subarray(PREFIX_BYTES);
    const request = serializer.toProto3JSON(typeOf(`${method}Request`).decode(sent));
    // A commit has a time of its own.
    const same = method === 'Commit' ? request.writes?.length : JSON.stringify(request);
    const key = `${method} ${same}`;
    const answer = answers.get(key) ?? ask(method, request);
    answers.set(key, answer);
    const body = await answer;
    const headers = { ':status': 200, 'content-type': 'application/grpc' };
    stream.respond(headers, { waitForTrailers: true });
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
  const port = await listen(proxy);
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
