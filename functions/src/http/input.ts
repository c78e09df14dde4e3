import { HttpsError, type Request } from 'firebase-functions/https';
import type * as z from 'zod';
import { checkRevoked } from '../parameters.ts';
import { requireApp } from './appCheck.ts';
import { authenticate } from './authentication.ts';
import { hasBody, readJson } from './body.ts';
import {
  methodsOf,
  nothing,
  writes,
  type AnyAccess,
  type Declaration,
  type Input,
} from './declaration.ts';
import { HttpError } from './errors.ts';
import { originalRequest } from './originalRequest.ts';
import { addressOf, limitAddress, limitUser, type RateLimitHeaders } from './rateLimit.ts';
import {
  pathReader,
  queryParameters,
  requestTarget,
  type QueryParameters,
} from './requestTarget.ts';
import { validated } from './validation.ts';

/** Checks a request, and gives what a handler needs of it. `onRateLimit` is told the headers that say what is left. */
export type InputReader<Checked> = (
  request: Request,
  onRateLimit: (headers: RateLimitHeaders) => void,
) => Promise<Checked>;

/**
 * The reader of an endpoint's requests. It checks in this order: path, method, rate limit of the address, App Check,
 * token, rate limit of the user, body, query. Nothing of a body is read before all that precedes it has passed.
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

  return async (request, onRateLimit) => {
    const target = requestTarget(originalRequest(request).url);
    const params = readPath(target.path);
    if (!methods.includes(request.method)) throw methodNotAllowed(declaration);
    onRateLimit(limitAddress(addressOf(request)));
    await requireApp(request);
    const caller = declaration.access === 'signedIn' ? await signedIn(request) : undefined;
    if (caller !== undefined) onRateLimit(limitUser(caller.uid));
    const sent = declaration.body && hasBody(request) ? await readJson(request) : undefined;
    const query = queryParameters(target.query);
    const body = declaration.body && (sent === undefined ? bodyOfQuery(declaration, query) : sent);
    // What is left out is `nothing`, or nobody: the types say so, but cannot follow the choice.
    return {
      caller: caller as Input<Params, Query, Body, Access>['caller'],
      body: (declaration.body && validated(declaration.body, body, 'The body')) as z.output<Body>,
      params: validated(declaration.params ?? nothing, params) as z.output<Params>,
      query: validated(declaration.query ?? nothing, query) as z.output<Query>,
    };
  };

  async function signedIn(request: Request) {
    return authenticate(request, { checkRevoked: writes(declaration) && checkRevoked.value() });
  }
}

/** The body that repeated query parameters stand for, where the endpoint takes it so. */
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
  return new HttpError(405, `This endpoint answers ${declaration.method} only.`, {
    Allow: [...methodsOf(declaration), 'OPTIONS'].join(', '),
  });
}
