import cors from 'cors';
import type { Request } from 'firebase-functions/https';
import type { Response } from 'express';
import { allowedOrigins } from '../parameters.ts';

const PREFLIGHT_SECONDS = 3600;

/** Gives the answer its CORS headers. False for a preflight, which is answered here: there is nothing left to do. */
export function allowOrigin(
  request: Request,
  response: Response,
  methods: readonly string[],
): boolean {
  let goesOn = false;
  cors({
    // A list, also of one: the package sends a single text to every origin, whoever asks.
    origin: allowedOrigins.value(),
    methods: [...methods],
    allowedHeaders: ['Authorization', 'Content-Type', 'X-Firebase-AppCheck'],
    exposedHeaders: ['ETag', 'RateLimit', 'RateLimit-Policy', 'Retry-After', 'X-Request-Id'],
    maxAge: PREFLIGHT_SECONDS,
  })(request, response, () => {
    goesOn = true;
  });
  return goesOn;
}
