import { HttpsError, type Request } from 'firebase-functions/https';
import type * as z from 'zod';
import { requireApp } from '../auth/appCheck.ts';
import { authenticate } from '../auth/authentication.ts';
import { checkRevoked, logCallers } from '../parameters.ts';
import { currentContext } from '../platform/requestContext.ts';
import { hasBody, readJson } from './body.ts';
import {
  methodsOf,
  nothing,
  writes,
  type AnyAccess,
  type Declaration,
  type Input,
} from './declaration.ts';
import { HttpError } from '../platform/errors.ts';
import { originalRequest } from '../platform/originalRequest.ts';
import { addressOf, limitAddress, limitUser, type RateLimitHeaders } from './rateLimit.ts';
import { callerHash } from './requestLog.ts';
import {
  pathReader,
  queryParameters,
  requestTarget,
  type QueryParameters,
} from './requestTarget.ts';
import { validated } from './validation.ts';

/** Validates a request. Returns the handler's input, and the rate limit headers for the response. */
export type InputReader<Checked> = (
  request: Request,
) => Promise<{ readonly input: Checked; readonly rateLimit: RateLimitHeaders }>;

/**
 * Makes an endpoint's input reader. It checks in this order: path, method, rate limit of the address, App Check, token,
 * rate limit of the user, body, path parameters, query. The body is not read unless all checks before it pass.
 */
export function inputReader<
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodObject,
  Reply extends z.ZodType,
  Access extends AnyAccess,
>(
  declaration: Declaration<Params, Query, Body, Reply, Access>,
): InputReader<Input<Params, Query, Body, Access>> {
  const readPath = pathReader(declaration.path);
  const methods = methodsOf(declaration);
  const queryNames = new Set([
    ...Object.keys(declaration.query?.shape ?? {}),
    ...Object.keys((declaration.bodyInQuery && declaration.body?.shape) ?? {}),
  ]);

  return async (request) => {
    const target = requestTarget(originalRequest(request).url);
    const params = readPath(target.path);
    if (!methods.includes(request.method)) throw methodNotAllowed(declaration);
    const ofAddress = limitAddress(addressOf(request));
    await requireApp(request);
    const caller = declaration.access === 'signedIn' ? await signedIn(request) : undefined;
    if (caller && logCallers.value()) currentContext().callerHash = callerHash(caller.uid);
    const rateLimit = { ...ofAddress, ...(caller && limitUser(caller.uid)) };
    const sent = declaration.body && hasBody(request) ? await readJson(request) : undefined;
    const query = queryParameters(target.query, queryNames);
    const body = declaration.body && (sent === undefined ? bodyOfQuery(declaration, query) : sent);
    // TypeScript cannot infer that a missing schema implies the type `Nothing`, and public access no caller.
    const input = {
      caller: caller as Input<Params, Query, Body, Access>['caller'],
      body: (declaration.body && validated(declaration.body, body, 'The body')) as z.output<Body>,
      params: validated(declaration.params ?? nothing, params) as z.output<Params>,
      query: validated(declaration.query ?? nothing, query) as z.output<Query>,
    };
    return { input, rateLimit };
  };

  async function signedIn(request: Request) {
    return authenticate(request, { checkRevoked: writes(declaration) && checkRevoked.value() });
  }
}

/** The body as sent in repeated query parameters, if the endpoint allows that. */
function bodyOfQuery(
  { body, bodyInQuery }: Pick<Declaration, 'body' | 'bodyInQuery'>,
  query: QueryParameters,
): unknown {
  const fields = Object.keys(body?.shape ?? {}).filter((field) => field in query);
  if (bodyInQuery !== true || fields.length === 0) {
    throw new HttpsError('invalid-argument', 'A JSON body is required.');
  }
  return Object.fromEntries(fields.map((field) => [field, [query[field] ?? []].flat()]));
}

function methodNotAllowed(declaration: Pick<Declaration, 'method'>): HttpError {
  return new HttpError('method-not-allowed', `This endpoint only accepts ${declaration.method}.`, {
    Allow: [...methodsOf(declaration), 'OPTIONS'].join(', '),
  });
}
