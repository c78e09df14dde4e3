/** Refuses gRPC (https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md) at once, with the reason. */
import { createServer, type Http2Server, type ServerHttp2Stream } from 'node:http2';
import { foreignHost, unimplemented } from './refusal.ts';

/** A server that refuses every call, with a hint what to do. `onRefused` gets a sentence whenever it does. */
export function refusingGrpc(hint: string, onRefused: (notice: string) => void): Http2Server {
  const server = createServer();
  server.on('stream', (stream, headers) => {
    const refusal =
      foreignHost(headers[':authority']) ??
      unimplemented('gRPC, which listeners (onSnapshot) and the web SDK need').withHint(hint);
    onRefused(refusal.message);
    const { code, message } = refusal.rpcStatus;
    stream.on('error', () => stream.destroy());
    // The Admin SDK would try again for minutes if the status came without headers before it.
    stream.respond({ 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => {
      stream.sendTrailers({ 'grpc-status': code, 'grpc-message': encodeURI(message) });
    });
    const path = headers[':path'];
    if (path?.endsWith('/Listen')) endListening(stream, code, message);
    else if (path?.endsWith('/Write')) endWriting(stream);
    else stream.end();
  });
  return server;
}

/**
 * SDKs start a listener again after any status but not after this response: its target is removed, because of an error.
 * In protocol buffers, `{targetChange: {targetChangeType: REMOVE, targetIds: [id], cause: {code, message}}}`.
 */
function endListening(stream: ServerHttp2Stream, code: number, message: string): void {
  const cause = Buffer.concat([Buffer.of(0x08, code), field(2, Buffer.from(message))]);
  stream.once('data', (request: Buffer) => {
    // {addTarget: {targetId}}
    const id = valueIn(valueIn(request.subarray(5), 2), 5);
    const change = Buffer.concat([Buffer.of(0x08, 2), field(2, id), field(3, cause)]);
    stream.end(framed(field(2, change)));
  });
}

/** The web SDK begins a refused stream of writes again; it only rejects a write that is refused after the first response, `{streamToken}`. */
function endWriting(stream: ServerHttp2Stream): void {
  stream.once('data', () => {
    stream.write(framed(field(2, Buffer.of(1))));
    stream.once('data', () => stream.end());
  });
}

/** A message of a stream. */
function framed(message: Buffer): Buffer {
  const frame = Buffer.alloc(5);
  frame.writeUInt32BE(message.length, 1);
  return Buffer.concat([frame, message]);
}

/** A field of a message: its number, its length as a varint, and its bytes. */
function field(number: number, bytes: Buffer): Buffer {
  const { length } = bytes;
  const varint = length < 128 ? [length] : [(length % 128) + 128, Math.floor(length / 128)];
  return Buffer.concat([Buffer.of(number * 8 + 2, ...varint), bytes]);
}

/** The bytes of a field of a message: those of a string or message, or a varint as it was sent. Empty if there is none. */
function valueIn(message: Buffer, wanted: number): Buffer {
  const afterVarint = (start: number) =>
    start + 1 + message.subarray(start).findIndex((byte) => byte < 128);
  for (let at = 0; at < message.length;) {
    const [tag = 0] = message.subarray(at);
    const value = afterVarint(at + 1);
    const isSized = tag % 8 === 2;
    const [low = 0, high = 0] = message.subarray(at + 1, value);
    const end = isSized ? value + (low % 128) + high * 128 : value;
    if (tag >> 3 === wanted) return message.subarray(isSized ? value : at + 1, end);
    at = end;
  }
  return Buffer.of();
}
