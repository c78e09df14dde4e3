import type { Response } from '@google-cloud/functions-framework';
import type { Request } from '@google-cloud/functions-framework';
import { constants, gzip } from 'node:zlib';

/** Whether the client accepts a compressed response; the service compresses from 1 KiB. */
export function isCompressed(request: Request, length: number): boolean {
  return length >= 1024 && (request.headers['accept-encoding'] ?? '').includes('gzip');
}

/** Compresses an uncached response like the service. */
export function compressed(bytes: Buffer | string, done: (bytes: Buffer) => void): void {
  gzip(bytes, { level: constants.Z_BEST_SPEED }, (error, result) => {
    if (error) throw error;
    done(result);
  });
}

export function sendJson(request: Request, response: Response, text: string): void {
  response.type('application/json');
  if (!isCompressed(request, text.length)) {
    response.send(text);
    return;
  }
  compressed(text, (bytes) => {
    response.setHeader('Content-Encoding', 'gzip');
    response.send(bytes);
  });
}
