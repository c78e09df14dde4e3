import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { loadFirestoreGrpc } from '../../dev/fakeGoogle/firestoreGrpc.ts';
import type { Reply } from '../../dev/fakeGoogle/replies.ts';
import { LOOPBACK } from '../../dev/ports.ts';

/**
 * Starts Firestore over gRPC and TLS, because the Admin SDK uses gRPC by default. `call` makes the same calls over REST.
 * Returns the environment variables that redirect the SDK baseline to it.
 */
export async function startGrpc(call: (path: string, body: string) => Promise<Reply>) {
  const { encode, start } = loadFirestoreGrpc();
  const encoded = new Map<Reply, Buffer>();
  const { private: key, cert } = await generate([], {
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: LOOPBACK }] }],
  });
  const respond = async (method: string, request: object) => {
    const { parent, database, ...body } = request as { parent?: string; database?: string };
    const verb = method === 'BatchGetDocuments' ? 'batchGet' : method;
    const path = `/v1/${parent ?? `${database}/documents`}:${verb[0]?.toLowerCase()}${verb.slice(1)}`;
    const reply = await call(path, JSON.stringify(body));
    // Once for each recorded reply.
    const messages =
      encoded.get(reply) ??
      encode(method, [JSON.parse(reply.body.toString()) as object | object[]].flat());
    encoded.set(reply, messages);
    return [messages, 'OK'] as const;
  };
  const { host } = await start(respond, { key, cert });
  const roots = join(await mkdtemp(join(tmpdir(), 'grpc-')), 'certificate.pem');
  await writeFile(roots, cert);
  return { BENCH_GRPC: host, GRPC_DEFAULT_SSL_ROOTS_FILE_PATH: roots };
}
