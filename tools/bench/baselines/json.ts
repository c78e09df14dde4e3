import type { Request, Response } from '@google-cloud/functions-framework';
import { constants, gzipSync } from 'node:zlib';

/** Sends JSON, compressed from 1 KiB and on this thread, like the service. */
export function sendJson(request: Request, response: Response, json: Buffer): void {
  const isCompressed =
    json.length >= 1024 && (request.headers['accept-encoding'] ?? '').includes('gzip');
  const body = isCompressed ? gzipSync(json, { level: constants.Z_BEST_SPEED }) : json;
  response.writeHead(200, {
    'Content-Type': 'application/json',
    'Content-Length': String(body.length),
    ...(isCompressed && { 'Content-Encoding': 'gzip' }),
  });
  response.end(body);
}
