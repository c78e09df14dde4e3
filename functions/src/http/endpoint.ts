import { randomUUID } from 'node:crypto';
import type { Response } from 'express';
import {
  onRequest,
  type FunctionsErrorCode,
  type HttpsFunction,
  type Request,
} from 'firebase-functions/https';
import * as z from 'zod';
import {
  checkRevoked,
  concurrency,
  maxInstances,
  minInstances,
  publicCacheSeconds,
  region,
} from '../parameters.ts';
import { requireApp } from './appCheck.ts';
import { arrivalOf } from './arrival.ts';
import { authenticated, type Caller } from './authentication.ts';
import { hasBody, jsonBody } from './body.ts';
import { allowOrigin } from './cors.ts';
import { withinDeadline } from './deadline.ts';
import { namesTag } from './entityTag.ts';
import { failureOf, HttpRefusal } from './errors.ts';
import { answerOf, keptAnswer, type Answer } from './keptAnswer.ts';
import { pathReader } from './path.ts';
import { logRequest, reportFailure } from './requestLog.ts';
import { emptyRecord, recorded, type RequestRecord } from './requestRecord.ts';
import { queryParameters, requestTarget, type QueryParameters } from './requestTarget.ts';
import { addressOf, throttleAddress, throttleUser } from './throttle.ts';
import { validated } from './validation.ts';

// Code made at run time takes longer to make, and for schemas like ours it is not faster after that.
z.config({ jitless: true });

/** Where each endpoint runs, and how: one declaration for all twelve functions. */
const RUNTIME_OPTIONS = {
  region,
  invoker: 'public',
  memory: '512MiB',
  cpu: 1,
  concurrency,
  minInstances,
  maxInstances,
  // Longer than any deadline of ours, so that it is ours that callers meet; as long as Hosting waits.
  timeoutSeconds: 60,
  // The answers' CORS headers are ours (cors.ts): the SDK's would let every origin in under the emulator.
  cors: false,
} as const;

/** An object schema that asks for nothing: for a request without path parameters, query or body. */
const nothing = z.object({});
type Nothing = typeof nothing;

/** Who may call an endpoint. */
type AnyAccess = 'public' | 'signedIn';

/** What an endpoint is: the one source of its route, validation, types, documentation and function. */
export interface Declaration<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodObject = z.ZodObject,
  Reply extends z.ZodType = z.ZodType,
  Access extends AnyAccess = AnyAccess,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path below the base address; `{name}` stands for a path parameter. */
  readonly path: `/${string}`;
  /** Who may call: anyone, or whoever sends a valid Firebase ID token. */
  readonly access: Access;
  readonly summary: string;
  readonly description: string;
  readonly params?: Params;
  readonly query?: Query;
  /** The JSON body; an endpoint that declares none ignores whatever body is sent. */
  readonly body?: Body;
  /**
   * Whether the fields of the body, all of them lists, may come as repeated query parameters instead: some proxies and
   * clients drop the body of a DELETE.
   */
  readonly bodyInQuery?: true;
  /** The body of the 200 answer. Fields that it does not name never leave. */
  readonly response: Reply;
  /** Whether the answer is the same for all callers, so that an instance keeps it for a while; of public reads only. */
  readonly kept?: true;
  /**
   * What goes wrong in this endpoint's own terms, beyond what any endpoint can answer (401, 404 for its path, 405, 429,
   * 500, 503) and any that takes a body (413, 415).
   */
  readonly errors: Partial<Record<FunctionsErrorCode, string>>;
}

/** A request as a handler gets it: checked and typed. */
export interface Input<
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodObject,
  Access extends AnyAccess,
> {
  /** There where the endpoint asks callers to be signed in. */
  readonly caller: Access extends 'signedIn' ? Caller : undefined;
  readonly params: z.output<Params>;
  readonly query: z.output<Query>;
  readonly body: z.output<Body>;
}

/** An endpoint as it is deployed: a Cloud Function that carries its own declaration. */
export type Endpoint = HttpsFunction & { readonly declaration: Declaration };

/**
 * Makes the Cloud Function of an endpoint. Requests are checked in the order path, method, token, body, query; the
 * handler gets what the schemas made of them and returns the body of the 200 answer. What it throws becomes
 * `{message}`: an `HttpsError` with its own message, Firestore's errors and all others with a general one.
 */
export function endpoint<
  Params extends z.ZodObject = Nothing,
  Query extends z.ZodObject = Nothing,
  Body extends z.ZodObject = Nothing,
  Reply extends z.ZodType = z.ZodType,
  Access extends AnyAccess = AnyAccess,
>(
  declaration: Declaration<Params, Query, Body, Reply, Access> & {
    handle: (input: Input<Params, Query, Body, Access>) => Promise<z.input<Reply>>;
  },
): Endpoint {
  const { handle, ...contract } = declaration;
  const readPath = pathReader(contract.path);
  const name = `${contract.method} ${contract.path}`;

  async function answer(request: Request, response: Response): Promise<Answer> {
    const input = await readInput(request, response);
    const build = async () => contract.response.parse(await handle(input));
    return contract.kept ? keptAnswer(name, build) : answerOf(await build());
  }

  async function readInput(
    request: Request,
    response: Response,
  ): Promise<Input<Params, Query, Body, Access>> {
    const target = requestTarget(arrivalOf(request).url);
    const params = readPath(target.path);
    if (!methodsOf(contract).includes(request.method)) throw methodNotAllowed(contract);
    await throttleAddress(request, response, addressOf(request));
    await requireApp(request);
    const caller =
      contract.access === 'signedIn'
        ? await authenticated(request, { checkRevoked: writes(contract) && checkRevoked.value() })
        : undefined;
    if (caller !== undefined) await throttleUser(request, response, caller.uid);
    const isInQuery = contract.bodyInQuery === true && !hasBody(request);
    const sent = contract.body && !isInQuery ? jsonBody(request) : undefined;
    const query = queryParameters(target.query);
    const body = isInQuery ? bodyInQuery(request, query) : sent;
    // What is left out is `nothing`, or nobody: the types say so, but cannot follow the choice.
    return {
      caller: caller as Input<Params, Query, Body, Access>['caller'],
      body: (contract.body && validated(contract.body, body, 'The body')) as z.output<Body>,
      params: validated(contract.params ?? nothing, params) as z.output<Params>,
      query: validated(contract.query ?? nothing, query) as z.output<Query>,
    };
  }

  function bodyInQuery(request: Request, query: QueryParameters): unknown {
    const fields = Object.keys(contract.body?.shape ?? {});
    if (!fields.some((field) => field in query)) return jsonBody(request);
    return Object.fromEntries(fields.map((field) => [field, [query[field] ?? []].flat()]));
  }

  const served = onRequest(RUNTIME_OPTIONS, async (request, response) => {
    const began = performance.now();
    const requestId = randomUUID();
    const record = emptyRecord();
    const { method } = request;
    const { path } = contract;
    response.set({
      'Cache-Control': 'private, no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': requestId,
    });
    try {
      if (allowOrigin(request, response, methodsOf(contract))) {
        const sent = await recorded(record, () => withinDeadline(answer(request, response)));
        if (contract.access === 'public') sendPublic(request, response, sent, record);
        else send(response, sent);
      }
    } catch (error) {
      const { status, message, headers } = failureOf(error);
      if (status >= 500) reportFailure(error, { requestId, method, path, status });
      response.status(status).set(headers).json({ message });
    }
    const latencyMs = performance.now() - began;
    logRequest({ requestId, method, path, status: response.statusCode, latencyMs, record });
  });
  return Object.assign(served, { declaration: contract });
}

/** The methods that an endpoint answers, preflight aside: HEAD wherever GET is. */
function methodsOf({ method }: Pick<Declaration, 'method'>): readonly string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

function writes({ method }: Pick<Declaration, 'method'>): boolean {
  return method !== 'GET';
}

function methodNotAllowed(contract: Pick<Declaration, 'method'>): HttpRefusal {
  return new HttpRefusal(405, `This endpoint answers ${contract.method} only.`, {
    Allow: [...methodsOf(contract), 'OPTIONS'].join(', '),
  });
}

/** Sends an answer that caches may keep as long as its data is not too old, or 304 to a caller who has it already. */
function sendPublic(
  request: Request,
  response: Response,
  { body, tag }: Answer,
  { readAt }: RequestRecord,
): void {
  const age = Math.floor((Date.now() - readAt) / 1000);
  const seconds = Math.max(0, publicCacheSeconds.value() - age);
  response.set({ 'Cache-Control': `public, max-age=${seconds}, s-maxage=${seconds}`, ETag: tag });
  // What is left of one caller's requests is not for the others to whom a cache gives this answer.
  for (const header of ['RateLimit', 'RateLimit-Policy']) response.removeHeader(header);
  if (namesTag(request.headers['if-none-match'], tag)) response.status(304).end();
  else send(response, { body, tag });
}

/** Sends an answer as it is: Express' own `send` would make a 304 of it where the caller asks for one, signed in or not. */
function send(response: Response, { body }: Answer): void {
  response.type('application/json').set('Content-Length', String(body.length)).end(body);
}
