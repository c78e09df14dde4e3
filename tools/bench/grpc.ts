import { mkdtemp, writeFile } from 'node:fs/promises';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { generate } from 'selfsigned';
import { loadFirestoreMessages } from '../../dev/google/firestoreMessages.ts';
import type { Reply } from '../../dev/google/replies.ts';
import { LOOPBACK, listen } from '../../dev/ports.ts';

/**
 * Starts Firestore over gRPC and TLS, because the Admin SDK uses gRPC by default. `call` makes the same calls over REST.
 * Returns the environment variables that redirect the SDK baseline to it.
 */
export async function startGrpc(call: (path: string, body: string) => Promise<Reply>) {
  const { decodeRequest, encodeResponse } = loadFirestoreMessages();
  const encoded = new Map<Reply, Buffer>();

  async function serve(request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
    const method = request.url.slice(request.url.lastIndexOf('/') + 1);
    const json = decodeRequest(method, await buffer(request));
    const { parent, database, ...body } = json as { parent?: string; database?: string };
    const verb = method === 'BatchGetDocuments' ? 'batchGet' : method;
    const path = `/v1/${parent ?? `${database}/documents`}:${verb[0]?.toLowerCase()}${verb.slice(1)}`;
    const reply = await call(path, JSON.stringify(body));
    // Once for each recorded reply.
    const messages =
      encoded.get(reply) ??
      Buffer.concat(
        [JSON.parse(reply.body.toString()) as object | object[]]
          .flat()
          .map((message) => encodeResponse(method, message)),
      );
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
    serve(request, response).catch(() => response.stream.destroy());
  });
  const roots = join(await mkdtemp(join(tmpdir(), 'grpc-')), 'certificate.pem');
  await writeFile(roots, cert);
  return {
    BENCH_GRPC: `${LOOPBACK}:${await listen(server)}`,
    GRPC_DEFAULT_SSL_ROOTS_FILE_PATH: roots,
  };
}
