import { mkdtemp, writeFile } from 'node:fs/promises';
import {
  constants,
  createSecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { generate } from 'selfsigned';
import type { Reply } from '../../dev/google/replies.ts';
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
    toProto3JSON(message: object): { readonly parent?: string; readonly database?: string };
    fromProto3JSON(type: Type, json: object): object;
  };
}

interface Type {
  decode(bytes: Uint8Array): object;
  encode(message: object): { finish(): Uint8Array };
}

/**
 * Starts Firestore over gRPC and TLS, because the Admin SDK uses gRPC by default. `call` makes the same calls over REST.
 * Returns the environment variables that redirect the SDK baseline to it.
 */
export async function startGrpc(
  call: (path: string, body: string) => Promise<Reply>,
): Promise<Readonly<Record<string, string>>> {
  const admin = createRequire(createRequire(join(ROOT, 'package.json')).resolve('firebase-admin'));
  const firestore = createRequire(admin.resolve('@google-cloud/firestore'));
  const { protobuf, serializer } = firestore('google-gax') as Gax;
  const types = protobuf.Root.fromJSON(admin('@google-cloud/firestore/build/protos/v1.json'));
  const typeOf = (name: string) => types.lookupType(`google.firestore.v1.${name}`);
  const encoded = new Map<Reply, Buffer>();

  /** A response over REST as messages over gRPC. */
  function encode({ status, body }: Reply, type: Type): Buffer {
    if (status !== 200) throw new Error(body.toString());
    const messages = [JSON.parse(body.toString()) as object | object[]].flat().map((json) => {
      const message = type.encode(serializer.fromProto3JSON(type, json)).finish();
      const prefix = Buffer.alloc(PREFIX_BYTES);
      prefix.writeUInt32BE(message.length, 1);
      return [prefix, message];
    });
    return Buffer.concat(messages.flat());
  }

  async function serve(request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
    const method = request.url.slice(request.url.lastIndexOf('/') + 1);
    const sent = (await buffer(request)).subarray(PREFIX_BYTES);
    const json = serializer.toProto3JSON(typeOf(`${method}Request`).decode(sent));
    const { parent, database = '', ...body } = json;
    const verb = method === 'BatchGetDocuments' ? 'batchGet' : method;
    const name = `${verb.charAt(0).toLowerCase()}${verb.slice(1)}`;
    const path = `/v1/${parent ?? `${database}/documents`}:${name}`;
    const reply = await call(path, JSON.stringify(body));
    // Once for each recorded reply.
    const messages = encoded.get(reply) ?? encode(reply, typeOf(`${method}Response`));
    encoded.set(reply, messages);
    response.setHeader('Content-Type', 'application/grpc');
    response.addTrailers({ 'grpc-status': '0' });
    response.end(messages);
  }

  const { private: key, cert } = await generate([], {
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: LOOPBACK }] }],
  });
  const server = createSecureServer({ key, cert }, (request, response) => {
    serve(request, response).catch(() => {
      response.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    });
  });
  const roots = join(await mkdtemp(join(tmpdir(), 'grpc-')), 'certificate.pem');
  await writeFile(roots, cert);
  return {
    BENCH_GRPC: `${LOOPBACK}:${await listen(server)}`,
    GRPC_DEFAULT_SSL_ROOTS_FILE_PATH: roots,
  };
}
