import type { ServerResponse } from 'node:http';
import { onRequest, type Request } from 'firebase-functions/https';
import * as z from 'zod';
import { assertDeclaration } from './assertDeclaration.ts';
import type {
  AccessLevel,
  EmptySchema,
  Endpoint,
  EndpointDeclaration,
  HandlerInput,
  HandlerOutput,
} from './declaration/declaration.ts';
import {
  concurrency,
  deadlineSeconds,
  maxInstances,
  minInstances,
  region,
  serviceAccount,
} from './declaration/parameters.ts';
import { createRequestReader } from './request/readRequest.ts';
import { compilePath, parseRequestTarget } from './request/route.ts';
import { serializeBody } from './response/compress.ts';
import { buildCorsHeaders, buildPreflightHeaders } from './response/cors.ts';
import { toErrorResponse } from './response/errorResponse.ts';
import { createJsonResponse, matchesETag, type HttpResponse } from './response/httpResponse.ts';
import { readTaggedBody, ResponseCache, type TaggedBody } from './response/responseCache.ts';
import { sendResponse } from './response/send.ts';
import { createSerializer } from './response/serialize.ts';
import { getOriginalRequest } from './runtime/bypassParsing.ts';
import { RequestContext } from './runtime/requestContext.ts';
import { logRequest, reportError } from './runtime/requestLog.ts';

// Zod's generated code makes cold starts slower, and does not validate these schemas faster.
z.config({ jitless: true });

/** The options of all functions. */
const RUNTIME_OPTIONS = {
  region: region.param,
  serviceAccount: serviceAccount.param,
  invoker: 'public',
  memory: '512MiB',
  cpu: 1,
  maxInstances: maxInstances.param,
  // Hosting's timeout. It exceeds the maximum DEADLINE_SECONDS, so clients get our 503 and not an
  // error of the platform.
  timeoutSeconds: 60,
  // cors.ts sets the CORS headers. In the emulator, the SDK would allow every origin. Elsewhere the option is omitted,
  // because it costs CPU time.
  ...(process.env.FUNCTIONS_EMULATOR === 'true' && { cors: false }),
} as const;

/** The response to a request, and the error behind it, for the log. */
interface Outcome {
  readonly response: HttpResponse;
  readonly error?: unknown;
}

/** The response in the log of a request whose client disconnected. It is never sent. */
const CLIENT_DISCONNECTED: HttpResponse = { status: 499, headers: {} };

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
  assertDeclaration(declaration);
  const readRequest = createRequestReader(declaration);
  const serialize = createSerializer(declaration);
  const route = compilePath(declaration.path);
  const isPublic = declaration.access === 'public';
  const cache = declaration.coalesceReads && new ResponseCache();

  async function serve(request: Request, response: ServerResponse): Promise<void> {
    const startedAt = performance.now();
    const context = new RequestContext();
    const onDisconnect = () => {
      context.disconnect();
    };
    response.once('close', onDisconnect);
    const outcome = await respond(request, context);
    response.off('close', onDisconnect);
    if (!context.clientDisconnected) {
      sendResponse(request, response, outcome.response, buildCommonHeaders(request, context));
    }
    logOutcome(request, outcome, performance.now() - startedAt, context);
  }

  /** Responds to a preflight or runs the handler. Never rejects: every error becomes a response. */
  async function respond(request: Request, context: RequestContext): Promise<Outcome> {
    try {
      if (request.method === 'OPTIONS') {
        return { response: { status: 204, headers: buildPreflightHeaders(request) } };
      }
      return { response: await context.run(getTimeoutMs(), () => handleRequest(request)) };
    } catch (error) {
      if (context.clientDisconnected) return { response: CLIENT_DISCONNECTED, error };
      return { response: toErrorResponse(error, context.mayHaveWritten), error };
    }
  }

  async function handleRequest(request: Request): Promise<HttpResponse> {
    const { input, rateLimitHeaders } = await readRequest(request);
    // A coalesced response is always gzipped, even if the client that triggered the read does not
    // accept gzip: most of the clients that share it do.
    const useGzip = cache !== undefined || request.acceptsEncodings('gzip') !== false;
    const read = async () => serializeBody(serialize, handle(input), useGzip);
    if (!isPublic) return createJsonResponse(request, await read(), rateLimitHeaders);
    const maxAgeMs = 1000 * (declaration.cacheSeconds?.value() ?? 0);
    const body = cache
      ? await cache.get({ maxAgeMs, timeoutMs: getTimeoutMs(), read })
      : await readTaggedBody(read);
    return createCacheableResponse(request, body, maxAgeMs);
  }

  function getTimeoutMs(): number {
    return 1000 * Math.max(declaration.deadlineSeconds ?? 0, deadlineSeconds.value());
  }

  function logOutcome(
    request: Request,
    { response: { status, headers }, error }: Outcome,
    latencyMs: number,
    context: RequestContext,
  ): void {
    const target = parseRequestTarget(getOriginalRequest(request).url ?? '/');
    const path = route.test(target.path) ? declaration.path : undefined;
    const errorCode = headers['X-Error-Code'];
    const loggedRequest = { method: request.method, path, status, errorCode, error };
    if (status >= 500) reportError(loggedRequest, context);
    logRequest(loggedRequest, latencyMs, context);
  }

  const options = {
    ...RUNTIME_OPTIONS,
    concurrency: declaration.concurrency ?? concurrency.param,
    minInstances: declaration.keepWarm ? minInstances.param : 0,
  };
  const cloudFunction = onRequest(options, serve);
  return Object.assign(cloudFunction, { declaration });
}

/** Builds the headers of every response. Public responses override `Cache-Control`. */
function buildCommonHeaders(
  request: Request,
  { requestId }: RequestContext,
): Readonly<Record<string, string>> {
  return {
    'Cache-Control': 'private, no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
    ...buildCorsHeaders(request),
  };
}

/**
 * Creates a response that the CDN may cache for the rest of its max age, or 304 if the client's
 * ETag still matches. Browsers and apps always revalidate, so that users see their own changes
 * soon.
 */
function createCacheableResponse(
  request: Request,
  { body, etag, readAt }: TaggedBody,
  maxAgeMs: number,
): HttpResponse {
  const ageMs = performance.now() - readAt;
  const seconds = Math.max(0, Math.floor((maxAgeMs - ageMs) / 1000));
  const headers = { 'Cache-Control': `public, max-age=0, s-maxage=${seconds}`, ETag: etag };
  return matchesETag(request.headers['if-none-match'], etag)
    ? { status: 304, headers: { ...headers, Vary: 'Accept-Encoding' } }
    : createJsonResponse(request, body, headers);
}
