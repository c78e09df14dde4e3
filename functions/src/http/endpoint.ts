import { randomUUID } from 'node:crypto';
import type { Response } from 'express';
import { logger } from 'firebase-functions';
import {
  onRequest,
  type FunctionsErrorCode,
  type HttpsFunction,
  type Request,
} from 'firebase-functions/https';
import { z } from 'zod';
import { checkRevoked, publicCacheSeconds } from '../parameters.ts';
import { arrivalOf } from './arrival.ts';
import { authenticated, type Caller } from './authentication.ts';
import { hasBody, jsonBody } from './body.ts';
import { allowOrigin } from './cors.ts';
import { withinDeadline } from './deadline.ts';
import { entityTag, namesTag } from './entityTag.ts';
import { failureOf, HttpRefusal } from './errors.ts';
import { pathReader } from './path.ts';
import { queryParameters, requestTarget, type QueryParameters } from './requestTarget.ts';
import { validated } from './validation.ts';

/** Where each endpoint runs, and how: one declaration for all twelve functions. */
const RUNTIME_OPTIONS = {
  region: 'us-central1',
  invoker: 'public',
  memory: '512MiB',
  cpu: 1,
  concurrency: 80,
  maxInstances: 20,
  timeoutSeconds: 30,
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
  /**
   * What goes wrong in this endpoint's own terms, beyond what any endpoint can answer (404 for its path, 405, 500, 503)
   * and any that asks callers to be signed in (401) or takes a body (413, 415).
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

  async function answer(request: Request): Promise<unknown> {
    const input = await readInput(request);
    const reply = await handle(input);
    return contract.response.parse(reply);
  }

  async function readInput(request: Request): Promise<Input<Params, Query, Body, Access>> {
    const target = requestTarget(arrivalOf(request).url);
    const params = readPath(target.path);
    if (!methodsOf(contract).includes(request.method)) throw methodNotAllowed(contract);
    const caller =
      contract.access === 'signedIn'
        ? await authenticated(request, { checkRevoked: writes(contract) && checkRevoked.value() })
        : undefined;
    const query = queryParameters(target.query);
    const body = contract.body && readBody(request, query);
    // What is left out is `nothing`, or nobody: the types say so, but cannot follow the choice.
    return {
      caller: caller as Input<Params, Query, Body, Access>['caller'],
      body: (contract.body && validated(contract.body, body, 'The body')) as z.output<Body>,
      params: validated(contract.params ?? nothing, params) as z.output<Params>,
      query: validated(contract.query ?? nothing, query) as z.output<Query>,
    };
  }

  function readBody(request: Request, query: QueryParameters): unknown {
    const fields = Object.keys(contract.body?.shape ?? {});
    if (contract.bodyInQuery && !hasBody(request) && fields.some((field) => field in query)) {
      return Object.fromEntries(fields.map((field) => [field, [query[field] ?? []].flat()]));
    }
    return jsonBody(request);
  }

  const served = onRequest(RUNTIME_OPTIONS, async (request, response) => {
    const requestId = randomUUID();
    response.set({
      'Cache-Control': 'private, no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': requestId,
    });
    if (!(await allowOrigin(request, response, methodsOf(contract)))) return;
    try {
      const body = await withinDeadline(answer(request));
      if (contract.access === 'public') sendPublic(request, response, body);
      else response.json(body);
    } catch (error) {
      sendFailure(response, error, { requestId, endpoint: `${contract.method} ${contract.path}` });
    }
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

/** Sends an answer that caches may keep, or 304 to a caller who has it already. */
function sendPublic(request: Request, response: Response, body: unknown): void {
  const json = JSON.stringify(body);
  const tag = entityTag(json);
  const seconds = publicCacheSeconds.value();
  response.set({ 'Cache-Control': `public, max-age=${seconds}, s-maxage=${seconds}`, ETag: tag });
  if (namesTag(request.headers['if-none-match'], tag)) response.status(304).end();
  else response.type('application/json').send(json);
}

function sendFailure(response: Response, error: unknown, context: Record<string, unknown>): void {
  const { status, message, headers } = failureOf(error);
  if (status >= 500) logger.error(error, context);
  response.status(status).set(headers).json({ message });
}
