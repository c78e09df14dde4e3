import { request, type Agent } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { LOOPBACK } from '../../dev/ports.ts';
import type { ExampleRequest } from '../../dev/shared/exampleRequests.ts';

/** A complete response. */
export interface Response {
  readonly status: number;
  readonly bytes: Buffer;
}

/** Sends a request to a port, by default on a new connection; undefined without a complete response. */
export async function ask(
  port: number,
  { path, body, method, headers }: ExampleRequest,
  agent?: Agent,
): Promise<Response | undefined> {
  return new Promise((resolve) => {
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const options = { host: LOOPBACK, port, path, method, agent: agent ?? false };
    const failed = () => {
      resolve(undefined);
    };
    const sent = request({ ...options, headers: { ...headers, ...length } }, (response) => {
      buffer(response).then((bytes) => {
        resolve({ status: response.statusCode ?? 0, bytes });
      }, failed);
    });
    sent.on('error', failed);
    sent.end(body);
  });
}
