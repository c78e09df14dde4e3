/** Rejects gRPC (https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md) with an explanation. */
import { createServer, type Http2Server } from 'node:http2';
import { unimplementedError } from '../engine/apiError.ts';
import { isWebSdk, webSdkError } from './webSdk.ts';

/** The gRPC status code. */
const UNIMPLEMENTED = 12;

/** Creates a server that rejects every call. Calls `onWarning` with the message of each. */
export function createUnsupportedGrpcServer(onWarning: (warning: string) => void): Http2Server {
  const server = createServer();
  server.on('stream', (stream, headers) => {
    const call = String(headers[':path']?.split('/').at(-1));
    const { message } = isWebSdk(headers)
      ? webSdkError(call)
      : unimplementedError(`${call} over gRPC, which listeners (onSnapshot) need`);
    onWarning(message);
    stream.on('error', () => stream.destroy());
    // The Admin SDK retries for minutes if the status arrives without preceding headers.
    stream.respond({ 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => {
      stream.sendTrailers({ 'grpc-status': UNIMPLEMENTED, 'grpc-message': encodeURI(message) });
    });
    // The web SDK waits before it restarts a listener, but not after a message.
    stream.end(call === 'Listen' && !isWebSdk(headers) ? encodeTargetRemoval(message) : undefined);
  });
  return server;
}

/**
 * Encodes `{targetChange: {targetChangeType: REMOVE, cause: {code, message}}}` in protocol buffers. The Admin SDK restarts a
 * listener after any status, but not after this message.
 */
function encodeTargetRemoval(message: string): Buffer {
  const cause = Buffer.concat([
    Buffer.of(0x08, UNIMPLEMENTED),
    encodeField(2, Buffer.from(message)),
  ]);
  const response = encodeField(2, Buffer.concat([Buffer.of(0x08, 2), encodeField(3, cause)]));
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(response.length, 1);
  return Buffer.concat([prefix, response]);
}

/** Encodes a field of a message: its number, its length in two bytes, and its bytes. */
function encodeField(number: number, bytes: Buffer): Buffer {
  const { length } = bytes;
  return Buffer.concat([Buffer.of(number * 8 + 2, (length % 128) + 128, length >> 7), bytes]);
}
