import { mkdtemp, writeFile } from 'node:fs/promises';
import { constants, createSecureServer, type ServerHttp2Stream } from 'node:http2';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { generate } from 'selfsigned';
import { passOn } from '../../dev/google/replies.ts';
import { LOOPBACK, listen } from '../../dev/ports.ts';
import { ROOT } from '../../dev/root.ts';

/** The prefix of a message: a compression flag and the length. */
const PREFIX_BYTES = 5;

/** The parts of the Admin SDK's own copy of google-gax that convert messages. */
interface Gax {
  readonly protobuf: {
    readonly Root: { fromJSON(json: unknown): { lookupType(name: string): Type } };
  };
  readonly serializer: {
    toProto3JSON(message: object): GrpcRequest;
    fromProto3JSON(type: Type, json: object): object;
  };
}

/** A request as JSON. */
interface GrpcRequest {
  readonly parent?: string;
  readonly database?: string;
  readonly writes?: readonly unknown[];
}

interface Type {
  decode(bytes: Uint8Array): object;
  encode(message: object): { finish(): Uint8Array };
}

/**
 * Starts Firestore over gRPC and TLS, because the Admin SDK uses gRPC by default. It passes each distinct request once to
 * a Firestore over REST, and replays the response from then on. A commit gets the recorded response of one with the same
 * number of writes.
 */
export async function startGrpcReplay(firestoreAddress: string): Promise<{
  /** Redirects the SDK baseline to it. */
  readonly environment: Readonly<Record<string, string>>;
  calls(): number;
}> {
  const admin = createRequire(createRequire(join(ROOT, 'package.json')).resolve('firebase-admin'));
  const firestore = createRequire(admin.resolve('@google-cloud/firestore'));
  const { protobuf, serializer } = firestore('google-gax') as Gax;
  const types = protobuf.Root.fromJSON(admin('@google-cloud/firestore/build/protos/v1.json'));
  const typeOf = (name: string) => types.lookupType(`google.firestore.v1.${name}`);
  const recorded = new Map<string, Promise<Buffer>>();
  let calls = 0;

  /** The messages of the response to a call. */
  async function ask(method: string, request: GrpcRequest): Promise<Buffer> {
    const { parent, database = '', ...body } = request;
    const verb = method === 'BatchGetDocuments' ? 'batchGet' : method;
    const call = `${verb.charAt(0).toLowerCase()}${verb.slice(1)}`;
    const path = `/v1/${parent ?? `${database}/documents`}:${call}`;
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
    const response = recorded.get(key) ?? ask(method, request);
    recorded.set(key, response);
    const body = await response;
    const headers = { ':status': 200, 'content-type': 'application/grpc' };
    stream.respond(headers, { waitForTrailers: true });
    stream.once('wantTrailers', () => {
      stream.sendTrailers({ 'grpc-status': '0' });
    });
    stream.end(body);
  }

  const { private: key, cert } = await generate([], {
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: LOOPBACK }] }],
  });
  const server = createSecureServer({ key, cert });
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    serve(stream, headers[':path'] ?? '').catch(() => {
      stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    });
  });
  const roots = join(await mkdtemp(join(tmpdir(), 'grpc-')), 'certificate.pem');
  await writeFile(roots, cert);
  const environment = {
    BENCH_GRPC: `${LOOPBACK}:${await listen(server)}`,
    GRPC_DEFAULT_SSL_ROOTS_FILE_PATH: roots,
  };
  return { environment, calls: () => calls };
}
