import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { generate } from 'selfsigned';
import { loadFirestoreGrpc } from '../../test/support/google/firestoreGrpc.ts';
import type { FakeResponse } from '../../test/support/google/responses.ts';
import { listen, LOOPBACK } from '../../dev/ports.ts';

/** Time for which an idle connection stays open, in ms. */
const KEEP_ALIVE_MS = 240_000;

/**
 * Starts Firestore for the Admin SDK, over gRPC and over REST, both with TLS. The SDK over REST ignores proxy variables, so
 * it needs an address of its own. `call` makes a call over REST. Returns the environment variables that the SDK baseline
 * reads.
 */
export async function startFirestoreForSdk(
  call: (path: string, body: string) => Promise<FakeResponse>,
) {
  const { encode, start } = loadFirestoreGrpc();
  const encodedMessages = new Map<FakeResponse, Buffer>();
  const { private: key, cert } = await generate([], {
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: LOOPBACK }] }],
  });
  const respond = async (method: string, request: object) => {
    const { parent, database, ...body } = request as { parent?: string; database?: string };
    const name = method === 'BatchGetDocuments' ? 'batchGet' : method;
    const path = `/v1/${parent ?? `${database}/documents`}:${name[0]?.toLowerCase()}${name.slice(1)}`;
    const response = await call(path, JSON.stringify(body));
    // Each recorded response is encoded once.
    const messages =
      encodedMessages.get(response) ??
      encode(method, [JSON.parse(response.body.toString()) as object | object[]].flat());
    encodedMessages.set(response, messages);
    return [messages, 'OK'] as const;
  };
  const { host } = await start(respond, { key, cert });
  const roots = join(await mkdtemp(join(tmpdir(), 'grpc-')), 'certificate.pem');
  await writeFile(roots, cert);
  const rest = createServer({ key, cert, keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'https://firestore');
    text(request)
      .then((body) => call(pathname, body))
      .then(({ status, body }) => {
        response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
      })
      .catch(() => response.destroy());
  });
  return {
    BENCH_REST: `${LOOPBACK}:${await listen(rest)}`,
    BENCH_GRPC: host,
    GRPC_DEFAULT_SSL_ROOTS_FILE_PATH: roots,
  };
}
