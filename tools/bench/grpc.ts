import { mkdtemp, writeFile } from 'node:fs/promises';
import {
  constants,
  createSecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { generate } from 'selfsigned';
import type { Reply } from '../../dev/google/replies.ts';
import { LOOPBACK, listen } from '../../dev/ports.ts';
import { loadFirestoreMessages } from '../../dev/google/firestoreMessages.ts';

/**
 * Starts Firestore over gRPC and TLS, because the Admin SDK uses gRPC by default. `call` makes the same calls over REST.
 * Returns the environment variables that redirect the SDK baseline to it.
 */
export async function startGrpc(
  call: (path: string, body: string) => Promise<Reply>,
): Promise<Readonly<Record<string, string>>> {
  const { decodeRequest, encodeResponse } = loadFirestoreMessages();
  const encoded = new Map<Reply, Buffer>();

  /** A response over REST as messages over gRPC. */
  function encode({ status, body }: Reply, method: string): Buffer {
    if (status !== 200) throw new Error(body.toString());
    const messages = [JSON.parse(body.toString()) as object | object[]].flat();
    return Buffer.concat(messages.map((json) => encodeResponse(method, json)));
  }

  async function serve(request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
    const method = request.url.slice(request.url.lastIndexOf('/') + 1);
    const json = decodeRequest(method, await buffer(request));
    const {
      parent,
      database = '',
      ...body
    } = json as { readonly parent?: string; readonly database?: string };
    const verb = method === 'BatchGetDocuments' ? 'batchGet' : method;
    const name = `${verb.charAt(0).toLowerCase()}${verb.slice(1)}`;
    const path = `/v1/${parent ?? `${database}/documents`}:${name}`;
    const reply = await call(path, JSON.stringify(body));
    // Once for each recorded reply.
    const messages = encoded.get(reply) ?? encode(reply, method);
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
