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
} from './parameters.ts';
import { originalRequest } from './runtime/bypassParsing.ts';
import { RequestContext } from './runtime/requestContext.ts';
import { corsHeaders, preflightHeaders } from './response/cors.ts';
import {
  type AccessLevel,
  type EndpointDeclaration,
  type Endpoint,
  type HandlerInput,
  type EmptySchema,
  type HandlerOutput,
} from './declaration.ts';
import { toErrorResponse } from './response/errorResponse.ts';
import { createRequestReader } from './request/readRequest.ts';
import { serializeBody, createSerializer } from './response/serialize.ts';
import { logRequest, reportError } from './runtime/requestLog.ts';
import { readTagged, ResponseCache, type TaggedBody } from './response/responseCache.ts';
import { RouteNotFoundError, compilePath, parseRequestTarget } from './request/route.ts';
import { jsonResponse, matchesETag, sendResponse, type HttpResponse } from './response/send.ts';

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
export function defineEndpoint<
  ParamsSchema extends z.ZodObject = EmptySchema,
  QuerySchema extends z.ZodObject = EmptySchema,
  BodySchema extends z.ZodObject = EmptySchema,
  ResponseSchema extends z.ZodType = z.ZodType,
  Access extends AccessLevel = AccessLevel,
  CreatesDocument extends true | undefined = undefined,
>(
  definition: EndpointDeclaration<
    ParamsSchema,
    QuerySchema,
    BodySchema,
    ResponseSchema,
    Access,
    CreatesDocument
  > & {
    handle: (
      input: HandlerInput<ParamsSchema, QuerySchema, BodySchema, Access, CreatesDocument>,
    ) => HandlerOutput<ResponseSchema>;
  },
): Endpoint {
  const { handle, ...declaration } = definition;
  const readRequest = createRequestReader(declaration);
  const serialize = createSerializer(declaration);
  const route = compilePath(declaration.path);
  const isPublic = declaration.access === 'public';
  const cache = declaration.coalesceReads && new ResponseCache();

  async function serve(request: Request, response: ServerResponse): Promise<void> {
    const startedAt = performance.now();
    const requestId = randomUUID();
    const context = new RequestContext();
    const { method } = request;
    let path: string | undefined = declaration.path;
    const logFields = (status: number) => ({ requestId, method, path, status });
    // Public responses override `Cache-Control`.
    let commonHeaders: Readonly<Record<string, string>> = {
      'Cache-Control': 'private, no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': requestId,
    };
    let result: HttpResponse;
    let clientError: unknown;
    const onDisconnect = () => {
      if (!response.writableEnded) context.disconnect();
    };
    response.once('close', onDisconnect);
    try {
      commonHeaders = { ...commonHeaders, ...corsHeaders(request) };
      if (method === 'OPTIONS') {
        result = { status: 204, headers: preflightHeaders(request) };
        const target = parseRequestTarget(originalRequest(request).url ?? '/');
        if (!route.test(target.path)) path = undefined;
      } else {
        result = await context.run(timeoutMs(), () => handleRequest(request, requestId));
      }
    } catch (error) {
      if (error instanceof RouteNotFoundError) path = undefined;
      result = toErrorResponse(error, context.mayHaveWritten);
      if (context.clientDisconnected) result = { status: 499, headers: {} };
      else if (result.status >= 500) reportError(error, logFields(result.status));
      else clientError = error;
    }
    response.off('close', onDisconnect);
    if (!context.clientDisconnected) sendResponse(request, response, result, commonHeaders);
    const errorCode = result.headers['X-Error-Code'];
    const latencyMs = performance.now() - startedAt;
    const line = { ...logFields(result.status), errorCode, clientError };
    logRequest(line, latencyMs, context);
  }

  function timeoutMs(): number {
    return 1000 * Math.max(declaration.deadlineSeconds ?? 0, deadlineSeconds.value());
  }

  async function handleRequest(request: Request, requestId: string): Promise<HttpResponse> {
    const { input, rateLimit } = await readRequest(request);
    // Safe: the input was validated with the schemas of the declaration.
    const handlerInput = input as HandlerInput<
      ParamsSchema,
      QuerySchema,
      BodySchema,
      Access,
      CreatesDocument
    >;
    // A coalesced response is always gzipped, even if the client that triggered the read does not
    // accept gzip: most of the clients that share it do.
    const acceptsGzip = cache !== undefined || request.acceptsEncodings('gzip');
    const level = acceptsGzip ? constants.Z_BEST_SPEED : undefined;
    const read = async () => serializeBody(serialize, handle(handlerInput), level);
    if (!isPublic) return jsonResponse(request, await read(), rateLimit);
    const maxAgeMs = 1000 * (declaration.cacheSeconds?.value() ?? 0);
    const cacheRequest = { requestId, maxAgeMs, timeoutMs: timeoutMs(), read };
    return cacheableResponse(
      request,
      await (cache?.get(cacheRequest) ?? readTagged(read)),
      maxAgeMs,
    );
  }

  const options = { ...RUNTIME_OPTIONS, minInstances: declaration.keepWarm ? minInstances : 0 };
  const cloudFunction = onRequest(options, serve);
  return Object.assign(cloudFunction, { declaration });
}

/**
 * Returns a response that the CDN may cache for the rest of its max age, or 304 if the client's
 * ETag still matches. Browsers and apps always revalidate, so that users see their own changes
 * soon. ("Artists" is the marketplace's word; this package must not know it.)
 */
function cacheableResponse(
  request: Request,
  { body, etag, readAt }: TaggedBody,
  maxAgeMs: number,
): HttpResponse {
  const ageMs = performance.now() - readAt;
  const seconds = Math.max(0, Math.floor((maxAgeMs - ageMs) / 1000));
  const headers = { 'Cache-Control': `public, max-age=0, s-maxage=${seconds}`, ETag: etag };
  return matchesETag(request.headers['if-none-match'], etag)
    ? { status: 304, headers: { ...headers, Vary: 'Accept-Encoding' } }
    : jsonResponse(request, body, headers);
}
