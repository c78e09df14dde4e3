import type { ServerResponse } from 'node:http';
import { onRequest, type Request } from 'firebase-functions/https';
import * as z from 'zod';
import { assertDeclaration } from './assertDeclaration.ts';
import type {
  AccessLevel,
  CompleteDeclaration,
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
import { createRequestReader, type ParsedTarget } from './request/readRequest.ts';
import { createPathMatcher, parseRequestTarget } from './request/route.ts';
import { serializeBody } from './response/serializeBody.ts';
import { toErrorResponse } from './response/errorResponse.ts';
import {
  buildCommonHeaders,
  createCacheableResponse,
  createJsonResponse,
  createPreflightResponse,
  readTaggedBody,
  type HttpResponse,
} from './response/httpResponse.ts';
import { ResponseCache } from './response/responseCache.ts';
import { sendResponse } from './response/send.ts';
import { createSerializer } from './response/serialize.ts';
import { getOriginalRequest } from './runtime/bypassParsing.ts';
import { isFunctionsEmulator } from './runtime/environment.ts';
import { RequestContext } from './runtime/requestContext.ts';
import { logRequest, reportError } from './runtime/requestLog.ts';
import { Success } from './schemas/responses.ts';

// Zod's generated code makes cold starts slower, and does not validate these schemas faster.
z.config({ jitless: true });

/** The options of all functions. */
export const RUNTIME_OPTIONS = {
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
  ...(isFunctionsEmulator() && { cors: false }),
} as const;

/** The response to a request, and the error behind it, for the log. */
interface RequestOutcome {
  readonly response: HttpResponse;
  readonly error?: unknown;
}

/** A request with its response, for the log. */
interface EndedRequest {
  readonly request: Request;
  readonly target: ParsedTarget;
  readonly outcome: RequestOutcome;
  readonly latencyMs: number;
  readonly context: RequestContext;
}

/** The body of `Success`. */
const SUCCESS = { success: true };

/** The response in the log of a request whose client disconnected. It is never sent. */
const CLIENT_DISCONNECTED_RESPONSE: HttpResponse = { status: 499, headers: {} };

/**
 * Creates the Cloud Function of an endpoint. The handler receives the validated request and returns
 * the body of the 200 response, or nothing if none is declared. Errors are sent as `{ "message": … }`:
 * a 4xx keeps its message, a 5xx gets a generic one.
 */
export function defineEndpoint<
  ParamsSchema extends z.ZodObject = EmptySchema,
  QuerySchema extends z.ZodObject = EmptySchema,
  BodySchema extends z.ZodObject = EmptySchema,
  ResponseSchema extends z.ZodType = z.ZodVoid,
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
  const { handle, ...ownDeclaration } = definition;
  const declaration = addDefaults(ownDeclaration);
  assertDeclaration(declaration);
  const readRequest = createRequestReader(declaration);
  const serialize =
    definition.response === undefined
      ? () => JSON.stringify(SUCCESS)
      : createSerializer(declaration);
  const matchPath = createPathMatcher(declaration.path);
  const isPublic = declaration.access === 'public';
  const cache = declaration.coalesceReads && new ResponseCache();

  async function serve(request: Request, response: ServerResponse): Promise<void> {
    const startedAt = performance.now();
    const { path, query } = parseRequestTarget(getOriginalRequest(request).url ?? '/');
    const target = { pathParams: matchPath(path), query };
    const context = new RequestContext();
    const onDisconnect = () => {
      context.disconnect();
    };
    response.once('close', onDisconnect);
    const outcome = await respond(request, target, context);
    response.off('close', onDisconnect);
    if (!context.clientDisconnected) {
      const commonHeaders = buildCommonHeaders(request, context.requestId);
      sendResponse(request, response, outcome.response, commonHeaders);
    }
    logOutcome({ request, target, outcome, latencyMs: performance.now() - startedAt, context });
  }

  /** Responds to a preflight or runs the handler. Never rejects: every error becomes a response. */
  async function respond(
    request: Request,
    target: ParsedTarget,
    context: RequestContext,
  ): Promise<RequestOutcome> {
    try {
      if (request.method === 'OPTIONS') return { response: createPreflightResponse(request) };
      return { response: await context.run(getDeadlineMs(), () => handleRequest(request, target)) };
    } catch (error) {
      if (context.clientDisconnected) return { response: CLIENT_DISCONNECTED_RESPONSE, error };
      return { response: toErrorResponse(error, context.mayHaveWritten), error };
    }
  }

  async function handleRequest(request: Request, target: ParsedTarget): Promise<HttpResponse> {
    const { input, rateLimitHeaders } = await readRequest(request, target);
    // A coalesced response is always gzipped, even if the client that triggered the read does not
    // accept gzip: most of the clients that share it do.
    const useGzip = cache !== undefined || request.acceptsEncodings('gzip') !== false;
    const read = async () => {
      const output = handle(input);
      return serializeBody(serialize, output, { useGzip });
    };
    if (!isPublic) return createJsonResponse(request, await read(), rateLimitHeaders);
    const maxAgeMs = 1000 * (declaration.cacheSeconds?.value() ?? 0);
    const body = cache
      ? await cache.get({ maxAgeMs, deadlineMs: getDeadlineMs(), read })
      : await readTaggedBody(read);
    return createCacheableResponse(request, body, maxAgeMs);
  }

  /** Returns the time from the start of a request to its deadline, in ms. */
  function getDeadlineMs(): number {
    return 1000 * Math.max(declaration.deadlineSeconds ?? 0, deadlineSeconds.value());
  }

  function logOutcome({ request, target, outcome, latencyMs, context }: EndedRequest): void {
    const { response, error } = outcome;
    const { status, headers } = response;
    const path = target.pathParams && declaration.path;
    const errorCode = headers['X-Error-Code'];
    const loggedRequest = { method: request.method, path, status, errorCode, error };
    if (status >= 500) reportError(loggedRequest, context);
    logRequest(loggedRequest, latencyMs, context);
  }

  const options = {
    ...RUNTIME_OPTIONS,
    concurrency: limitConcurrency(declaration.concurrency),
    minInstances: declaration.keepWarm ? minInstances.param : 0,
  };
  const cloudFunction = onRequest(options, serve);
  return Object.assign(cloudFunction, { declaration });
}

/** Adds the defaults of a declaration. Without a response, the response is `Success`, also in the example. */
function addDefaults(declaration: EndpointDeclaration): CompleteDeclaration {
  const { response, errors = {}, example } = declaration;
  if (response !== undefined) return { ...declaration, response, errors };
  const completeExample = example && { example: { ...example, response: SUCCESS } };
  return { ...declaration, response: Success, errors, ...completeExample };
}

/** Returns the concurrency of a function: the lower of its limit, if it has one, and `CONCURRENCY`. The CLI evaluates it. */
function limitConcurrency(limit: number | undefined) {
  const { param } = concurrency;
  return limit === undefined ? param : param.greaterThan(limit).thenElse(limit, param);
}
