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
  return new Promise((resolve) => {
    response.on('finish', () => {
      resolve(false);
    });
    cors({
      origin: originsOf(allowedOrigins.value()),
      methods: [...methods],
      allowedHeaders: ['Authorization', 'Content-Type'],
      exposedHeaders: ['ETag', 'Retry-After', 'X-Request-Id'],
      maxAge: PREFLIGHT_SECONDS,
    })(request, response, () => {
      resolve(true);
    });
  });
}

/** A list, also of one: the `cors` package sends a single text to every origin, whoever asks. */
function originsOf(text: string): '*' | string[] {
  const origins = text.split(',').map((origin) => origin.trim());
  return origins.includes('*') ? '*' : origins.filter((origin) => origin !== '');
}
