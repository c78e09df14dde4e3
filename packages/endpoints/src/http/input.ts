import { HttpsError, type Request } from 'firebase-functions/https';
import type * as z from 'zod';
// Importing it through `z.core` would add all of zod to the bundle.
import { toDotPath } from 'zod/v4/core';
import { requireApp } from '../auth/appCheck.ts';
import { authenticate, requireValidSignIn, type Caller } from '../auth/authentication.ts';
import { appCheck, checkRevoked, logCallers, userRequestsPerMinute } from '../parameters.ts';
import { currentContext } from '../platform/requestContext.ts';
import { readJson } from './requestBody.ts';
import { methodsOf, nothing, isWrite, type AnyInput, type Declaration } from './declaration.ts';
import { FieldError, ServiceError } from '../errors.ts';
import { documentLists } from '../ids.ts';
import { originalRequest } from '../platform/functionsFramework.ts';
import { countDocuments, countRequest, type RateLimitHeaders } from './rateLimit.ts';
import { withoutWrappers } from '../wrappers.ts';
import { idempotencyKey, newId } from './newId.ts';
import { hashed } from './requestLog.ts';
import {
  pathReader,
  queryParameters,
  requestTarget,
  type QueryParameters,
} from './requestTarget.ts';

/** Validates a request. Returns the handler's input, and the rate limit headers for the response. */
export type InputReader = (
  request: Request,
) => Promise<{ readonly input: AnyInput; readonly rateLimit: RateLimitHeaders }>;

/**
 * Makes an endpoint's input reader. It checks in this order: path, method, App Check, token, rate limit for one request,
 * revocation, body, path parameters, query, `Idempotency-Key`, rate limit for the documents. The body is not read unless all
 * checks before it pass.
 */
export function inputReader(declaration: Declaration): InputReader {
  const { access, method, path, params = nothing, query = nothing, body = nothing } = declaration;
  const readPath = pathReader(path);
  const methods = methodsOf(declaration);
  const queryNames = new Set(
    Object.keys({ ...query.shape, ...(declaration.bodyInQuery && body.shape) }),
  );
  const fields = Object.entries<z.core.$ZodType>(body.shape);
  const lists = fields.filter(([, field]) => documentLists.get(withoutWrappers(field)));

  return async (request) => {
    const target = requestTarget(originalRequest(request).url ?? '/');
    const inPath = readPath(target.path);
    if (!methods.includes(request.method)) throw methodNotAllowed(declaration);
    const mode = appCheck.value();
    if (mode !== 'off') await requireApp(request, mode);
    const caller = access === 'signedIn' ? await signedIn(request) : undefined;
    const json = declaration.body && (await readJson(request));
    const inQuery = queryParameters(target.query, queryNames);
    const input = {
      caller,
      body: validated(
        body,
        json === undefined ? bodyOfQuery(declaration, inQuery) : json,
        'The body',
      ),
      params: validated(params, inPath),
      query: validated(query, inQuery),
    };
    if (declaration.creates) {
      const key = validated(idempotencyKey, request.headers['idempotency-key'], 'Idempotency-Key');
      const same = [caller?.uid, method, path, inPath, key, json];
      currentContext().newId = newId(key === undefined ? undefined : same);
    }
    return {
      input,
      rateLimit: caller ? countDocuments(caller.uid, quota(), documentsOf(input, lists)) : {},
    };
  };

  function quota(): number {
    const most = userRequestsPerMinute.value();
    return most === 0 ? 0 : (declaration.requestsPerMinute ?? most);
  }

  async function signedIn(request: Request): Promise<Caller> {
    const signIn = await authenticate(request);
    if (logCallers.value()) currentContext().callerHash = hashed(signIn.uid);
    countRequest(signIn.uid, quota());
    // Runs after the rate limit, because each lookup uses the project's Firebase Auth quota.
    if (isWrite(declaration) && checkRevoked.value()) await requireValidSignIn(signIn);
    return signIn;
  }
}

/**
 * Counts the documents that a request refers to in these lists, plus the page size that it asks
 * for.
 */
function documentsOf(
  { body, query: { limit } }: Pick<AnyInput, 'body' | 'query'>,
  lists: readonly (readonly [name: string, schema: unknown])[],
): number {
  const ids = lists.map(([name]) => (body[name] ?? []) as readonly unknown[]);
  const named = ids.reduce((sum, list) => sum + new Set(list).size, 0);
  return named + (typeof limit === 'number' ? limit : 0);
}

/**
 * Builds the body from repeated query parameters, if the endpoint allows it. Returns an empty
 * object for an endpoint without a body.
 */
function bodyOfQuery({ body, bodyInQuery }: Declaration, query: QueryParameters): unknown {
  if (body === undefined) return {};
  const fields = Object.keys(body.shape).filter((field) => field in query);
  if (bodyInQuery !== true || fields.length === 0) {
    throw new HttpsError('invalid-argument', 'A JSON body is required.');
  }
  return Object.fromEntries(fields.map((field) => [field, [query[field] ?? []].flat()]));
}

function methodNotAllowed(declaration: Declaration): ServiceError {
  return new ServiceError(
    'method-not-allowed',
    `This endpoint only accepts ${declaration.method}.`,
    {
      Allow: [...methodsOf(declaration), 'OPTIONS'].join(', '),
    },
  );
}

/**
 * Validates a value. Throws `invalid-argument` with a sentence about the first invalid field
 * (`flashUpdates[3].order must be …`), which never repeats the value that was sent.
 */
export function validated<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  whole = 'The request',
): z.output<Schema> {
  const result = schema.safeParse(value, { error: expectation });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = toDotPath(issue?.path ?? []);
  const problem = issue?.message ?? 'is not valid';
  if (field === '') throw new HttpsError('invalid-argument', `${whole} ${problem}.`);
  throw new FieldError('invalid-argument', { field }, problem);
}

const KINDS: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'true or false',
  int: 'an integer',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a string',
};

/**
 * Describes a Zod issue as the predicate of a sentence whose subject is the field: `must be an
 * integer`.
 */
function expectation(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return 'is required';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${KINDS[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`;
    case 'too_small':
      return lengthOf(issue, `at least ${issue.minimum}`) ?? `must be ${issue.minimum} or more`;
    case 'too_big':
      return lengthOf(issue, `at most ${issue.maximum}`) ?? `must be ${issue.maximum} or less`;
    default:
      return 'is not valid';
  }
}

/** Describes the allowed length of a string or array; undefined for other types. */
function lengthOf({ origin }: { readonly origin: string }, bound: string): string | undefined {
  if (origin === 'string') return `must have ${bound} characters`;
  return origin === 'array' ? `must have ${bound} elements` : undefined;
}
