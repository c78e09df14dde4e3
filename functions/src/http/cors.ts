import cors from 'cors';
import type { Request } from 'firebase-functions/https';
import type { Response } from 'express';
import { allowedOrigins } from '../parameters.ts';

const PREFLIGHT_SECONDS = 3600;

/**
 * Gives the answer its CORS headers. A preflight is answered here, and the promise then resolves to false:
 * there is nothing left to do.
 */
export async function allowOrigin(
  request: Request,
  response: Response,
  methods: readonly string[],
): Promise<boolean> {
  const origins = allowedOrigins.value();
  return new Promise((resolve) => {
    response.on('finish', () => {
      resolve(false);
    });
    cors({
      // A list, also of one: the package sends a single text to every origin, whoever asks.
      origin: origins,
      methods: [...methods],
      allowedHeaders: ['Authorization', 'Content-Type', 'X-Firebase-AppCheck'],
      exposedHeaders: ['ETag', 'RateLimit', 'RateLimit-Policy', 'Retry-After', 'X-Request-Id'],
      maxAge: PREFLIGHT_SECONDS,
    })(request, response, () => {
      resolve(true);
    });
  });
}
