import type { Request, Response } from '@google-cloud/functions-framework';
import { constants, gzip } from 'node:zlib';

/** Sends JSON, compressed from 1 KiB like the service. */
export function sendJson(request: Request, response: Response, json: Buffer): void {
  const send = (bytes: Buffer, encoding: object) => {
    const length = { 'Content-Length': String(bytes.length) };
    response.writeHead(200, { 'Content-Type': 'application/json', ...length, ...encoding });
    response.end(bytes);
  };
  const accepted = request.headers['accept-encoding'] ?? '';
  if (json.length < 1024 || !accepted.includes('gzip')) {
    send(json, {});
    return;
  }
  gzip(json, { level: constants.Z_BEST_SPEED }, (error, bytes) => {
    if (error) throw error;
    send(bytes, { 'Content-Encoding': 'gzip' });
  });
}
