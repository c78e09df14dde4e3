import { connect, constants, createSecureServer, type ServerHttp2Stream } from 'node:http2';
import type { IncomingHttpHeaders } from 'node:http2';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { generate } from 'selfsigned';
import { grpcDefinition } from '../emulator/firestore/protocol.ts';
import { LOOPBACK } from '../emulator/ports.ts';

const HOST = 'firestore.googleapis.com';

/** The prefix of a message: a compression flag and the length. */
const PREFIX_BYTES = 5;

/** A whole recorded response. */
interface Answer {
  readonly body: Buffer;
  readonly trailers: IncomingHttpHeaders;
}

/** Firestore over gRPC and TLS, as the Admin SDK reaches it in production. */
export interface GrpcReplay {
  /** Redirects `@grpc/grpc-js` to it. */
  readonly environment: Readonly<Record<string, string>>;
  calls(): number;
}

/**
 * Starts a server that forwards each distinct request once to a Firestore emulator, and replays the response from then
 * on. A commit gets the recorded response of one with the same number of writes.
 */
export async function startGrpcReplay(firestoreAddress: string): Promise<GrpcReplay> {
  const upstream = connect(`http://${firestoreAddress}`);
  const answers = new Map<string, Promise<Answer>>();
  const { Commit } = grpcDefinition();
  let calls = 0;

  function keyOf(path: string, body: Buffer): string {
    if (!path.endsWith('/Commit')) return `${path} ${body.toString('latin1')}`;
    const commit = Commit?.requestDeserialize(body.subarray(PREFIX_BYTES)) as { writes: unknown[] };
    return `${path} ${commit.writes.length}`;
  }

  async function ask(path: string, body: Buffer): Promise<Answer> {
    const stream = upstream.request({
      [constants.HTTP2_HEADER_METHOD]: 'POST',
      [constants.HTTP2_HEADER_PATH]: path,
      'content-type': 'application/grpc',
      te: 'trailers',
      authorization: 'Bearer owner',
    });
    const trailers = new Promise<IncomingHttpHeaders>((resolve) => {
      stream.once('trailers', resolve);
      // A response without a message has its status in the headers.
      stream.once('response', (headers) => {
        if ('grpc-status' in headers) resolve(headers);
      });
    });
    stream.end(body);
    return { body: await buffer(stream), trailers: await trailers };
  }

  async function serve(stream: ServerHttp2Stream, path: string): Promise<void> {
    calls += 1;
    const request = await buffer(stream);
    const key = keyOf(path, request);
    const known = answers.get(key) ?? ask(path, request);
    answers.set(key, known);
    const { body, trailers } = await known;
    stream.respond(
      { ':status': 200, 'content-type': 'application/grpc' },
      { waitForTrailers: true },
    );
    stream.once('wantTrailers', () => {
      const { 'grpc-status': status = '2', 'grpc-message': message = '' } = trailers;
      stream.sendTrailers({ 'grpc-status': status, 'grpc-message': message });
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
