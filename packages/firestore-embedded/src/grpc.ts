/** Refuses gRPC (https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md) at once, with the reason. */
import { createServer, type Http2Server, type ServerHttp2Stream } from 'node:http2';
import { foreignHost, unimplemented } from './refusal.ts';

/** A server that refuses every call, with a hint what to do. `onRefused` gets a sentence whenever it does. */
export function refusingGrpc(hint: string, onRefused: (notice: string) => void): Http2Server {
  const server = createServer();
  server.on('stream', (stream, headers) => {
    const refusal =
      foreignHost(headers[':authority']) ??
      unimplemented('gRPC, which listeners (onSnapshot) need').withHint(hint);
    onRefused(refusal.message);
    const { code, message } = refusal.rpcStatus;
    stream.on('error', () => stream.destroy());
    // The Admin SDK would try again for minutes if the status came without headers before it.
    stream.respond({ 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => {
      stream.sendTrailers({ 'grpc-status': code, 'grpc-message': encodeURI(message) });
    });
    if (headers[':path']?.endsWith('/Listen')) endListening(stream, code, message);
    else stream.end();
  });
  return server;
}

/**
 * The Admin SDK starts a listener again after any status but not after this response: its target (number 1) is removed,
 * because of an error. In protocol buffers, `{targetChange: {targetChangeType: REMOVE, targetIds: [1], cause: {code, message}}}`.
 */
function endListening(stream: ServerHttp2Stream, code: number, message: string): void {
  const cause = Buffer.concat([Buffer.of(0x08, code), field(2, Buffer.from(message))]);
  const change = Buffer.concat([Buffer.of(0x08, 2), field(2, Buffer.of(1)), field(3, cause)]);
  const response = field(2, change);
  const frame = Buffer.alloc(5);
  frame.writeUInt32BE(response.length, 1);
  stream.once('data', () => stream.end(Buffer.concat([frame, response])));
}

/** A field of a message: its number, its length as a varint, and its bytes. */
function field(number: number, bytes: Buffer): Buffer {
  const { length } = bytes;
  const varint = length < 128 ? [length] : [(length % 128) + 128, Math.floor(length / 128)];
  return Buffer.concat([Buffer.of(number * 8 + 2, ...varint), bytes]);
}
