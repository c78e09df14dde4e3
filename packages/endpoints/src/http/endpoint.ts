import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { constants } from 'node:zlib';
import { onRequest, type Request } from 'firebase-functions/https';
import * as z from 'zod';
import {
  concurrency,
  deadlineSeconds,
  maxInstances,
  minInstances,
  region,
  serviceAccount,
} from '../parameters.ts';
import { originalRequest } from '../platform/functionsFramework.ts';
import { RequestContext } from '../platform/requestContext.ts';
import { corsHeaders, preflightHeaders } from './cors.ts';
import {
  type AnyAccess,
  type Declaration,
  type Endpoint,
  type Input,
  type Nothing,
  type Output,
} from './declaration.ts';
import { toErrorResponse } from './errorResponse.ts';
import { inputReader } from './input.ts';
import { jsonBody, responseWriter } from './responseBody.ts';
import { logRequest, reportError } from './requestLog.ts';
import { dated, ResponseCache, type DatedBody } from './responseCache.ts';
import { NoEndpointError, pathPattern, requestTarget } from './requestTarget.ts';
import { jsonResponse, matchesTag, send, type JsonResponse } from './response.ts';

// Zod's generated code makes cold starts slower, and does not validate these schemas faster.
z.config({ jitless: true });

/** The options of all functions. */
const RUNTIME_OPTIONS = {
  region,
  serviceAccount,
  invoker: 'public',
  memory: '512MiB',
  cpu: 1,
  concurrency,
  maxInstances,
  // Hosting's timeout. It exceeds the maximum DEADLINE_SECONDS, so clients get our 503 and not an
  // error of the platform.
  timeoutSeconds: 60,
  // cors.ts sets the CORS headers. The SDK would allow every origin, but only in the emulator: elsewhere the option costs
  // processor time.
  ...(process.env.FUNCTIONS_EMULATOR === 'true' && { cors: false }),
} as const;

/**
 * Creates the Cloud Function of an endpoint. The handler receives the validated request and returns
 * the body of the 200 response. Errors are sent as `{ "message": … }`: a 4xx keeps its message, a
 * 5xx gets a generic one.
 */
export function endpoint<
  Params extends z.ZodObject = Nothing,
  Query extends z.ZodObject = Nothing,
  Body extends z.ZodObject = Nothing,
  Reply extends z.ZodType = z.ZodType,
  Access extends AnyAccess = AnyAccess,
>(
  definition: Declaration<Params, Query, Body, Reply, Access> & {
    handle: (input: Input<Params, Query, Body, Access>) => Output<Reply>;
  },
): Endpoint {
  const { handle, ...declaration } = definition;
  const readInput = inputReader(declaration);
  const writer = responseWriter(declaration);
  const pattern = pathPattern(declaration.path);
  const isPublic = declaration.access === 'public';
  const cache = declaration.isReadForAll && new ResponseCache();

  async function serve(request: Request, response: ServerResponse): Promise<void> {
    const began = performance.now();
    const requestId = randomUUID();
    const context = new RequestContext();
    const { method } = request;
    let path: string | undefined = declaration.path;
    const handled = (status: number) => ({ requestId, method, path, status });
    // Public responses override `Cache-Control`.
    let common: Readonly<Record<string, string>> = {
      'Cache-Control': 'private, no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': requestId,
    };
    let result: JsonResponse;
    let refusal: unknown;
    const leave = () => {
      if (!response.writableEnded) context.leave();
    };
    response.once('close', leave);
    try {
      common = { ...common, ...corsHeaders(request) };
      if (method === 'OPTIONS') {
        result = { status: 204, headers: preflightHeaders(request) };
        const target = requestTarget(originalRequest(request).url ?? '/');
        if (!pattern.test(target.path)) path = undefined;
      } else {
        result = await context.run(deadlineMs(), () => handleRequest(request, requestId));
      }
    } catch (error) {
      if (error instanceof NoEndpointError) path = undefined;
      result = toErrorResponse(error, context.mayHaveWritten);
      if (context.hasLeft) result = { status: 499, headers: {} };
      else if (result.status >= 500) reportError(error, handled(result.status));
      else refusal = error;
    }
    response.off('close', leave);
    if (!context.hasLeft) send(request, response, result, common);
    const errorCode = result.headers['X-Error-Code'];
    const latencyMs = performance.now() - began;
    const line = { ...handled(result.status), errorCode, refusal };
    logRequest(line, latencyMs, context);
  }

  function deadlineMs(): number {
    return 1000 * Math.max(declaration.deadlineSeconds ?? 0, deadlineSeconds.value());
  }

  async function handleRequest(request: Request, requestId: string): Promise<JsonResponse> {
    const { input, rateLimit } = await readInput(request);
    // Safe: the input was validated with the schemas of the declaration.
    const checked = input as Input<Params, Query, Body, Access>;
    // A coalesced response is always gzipped, even if the client that triggered the read does not
    // accept gzip: most of the clients that share it do.
    const isCompressed = cache !== undefined || request.acceptsEncodings('gzip');
    const level = isCompressed ? constants.Z_BEST_SPEED : undefined;
    const read = async () => jsonBody(writer, handle(checked), level);
    if (!isPublic) return jsonResponse(request, await read(), rateLimit);
    const cacheMs = 1000 * (declaration.cacheSeconds?.value() ?? 0);
    const wanted = { requestId, cacheMs, deadlineMs: deadlineMs(), read };
    return publicResponse(request, await (cache?.get(wanted) ?? dated(read)), cacheMs);
  }

  const options = { ...RUNTIME_OPTIONS, minInstances: declaration.isWarm ? minInstances : 0 };
  const cloudFunction = onRequest(options, serve);
  return Object.assign(cloudFunction, { declaration });
}

/**
 * Returns a response that the CDN may cache for the rest of its max age, or 304 if the client's
 * ETag still matches. Browsers and apps always revalidate, so that users see their own changes
 * soon. ("Artists" is the marketplace's word; this package must not know it.)
 */
function publicResponse(
  request: Request,
  { body, tag, readAt }: DatedBody,
  cacheMs: number,
): JsonResponse {
  const ageMs = performance.now() - readAt;
  const seconds = Math.max(0, Math.floor((cacheMs - ageMs) / 1000));
  const headers = { 'Cache-Control': `public, max-age=0, s-maxage=${seconds}`, ETag: tag };
  return matchesTag(request.headers['if-none-match'], tag)
    ? { status: 304, headers: { ...headers, Vary: 'Accept-Encoding' } }
    : jsonResponse(request, body, headers);
}
