import { HttpsError, type Request } from 'firebase-functions/https';
import type * as z from 'zod';
// Importing it through `z.core` would add all of zod to the bundle.
import { toDotPath } from 'zod/v4/core';
import { verifyAppCheck } from '../auth/appCheck.ts';
import { authenticate, assertNotRevoked, type Caller } from '../auth/authentication.ts';
import { appCheck, checkRevoked, logCallers, userRequestsPerMinute } from '../parameters.ts';
import { currentContext } from '../runtime/requestContext.ts';
import { readJsonBody } from './jsonBody.ts';
import {
  allowedMethods,
  emptySchema,
  isWrite,
  type AnyHandlerInput,
  type EndpointDeclaration,
} from '../declaration.ts';
import { FieldError, ServiceError } from '../errors.ts';
import { documentListSchemas } from '../schemas/documentIds.ts';
import { originalRequest } from '../runtime/bypassParsing.ts';
import { chargeDocuments, chargeRequest, type RateLimitHeaders } from './rateLimit.ts';
import { unwrapSchema } from '../schemas/unwrap.ts';
import { idempotencyKeySchema, createDocumentId } from './idempotency.ts';
import { hashId } from '../runtime/requestLog.ts';
import {
  createPathMatcher,
  parseQuery,
  parseRequestTarget,
  type QueryParameters,
} from './route.ts';

/** Validates a request. Returns the handler's input, and the rate limit headers for the response. */
export type RequestReader = (
  request: Request,
) => Promise<{ readonly input: AnyHandlerInput; readonly rateLimit: RateLimitHeaders }>;

/**
 * Makes an endpoint's input reader. It checks in this order: path, method, App Check, token, rate limit for one request,
 * revocation, body, path parameters, query, `Idempotency-Key`, rate limit for the documents. The body is not read unless all
 * checks before it pass.
 */
export function createRequestReader(declaration: EndpointDeclaration): RequestReader {
  const {
    access,
    method,
    path,
    params = emptySchema,
    query = emptySchema,
    body = emptySchema,
  } = declaration;
  const readPath = createPathMatcher(path);
  const methods = allowedMethods(declaration);
  const queryNames = new Set(
    Object.keys({ ...query.shape, ...(declaration.allowBodyInQuery && body.shape) }),
  );
  const fields = Object.entries<z.core.$ZodType>(body.shape);
  const documentListFields = fields.filter(([, field]) =>
    documentListSchemas.get(unwrapSchema(field)),
  );

  return async (request) => {
    const target = parseRequestTarget(originalRequest(request).url ?? '/');
    const pathParams = readPath(target.path);
    if (!methods.includes(request.method)) throw methodNotAllowedError(declaration);
    const appCheckMode = appCheck.value();
    if (appCheckMode !== 'off') await verifyAppCheck(request, appCheckMode);
    const caller = access === 'signedIn' ? await authenticateCaller(request) : undefined;
    const json = declaration.body && (await readJsonBody(request));
    const queryParams = parseQuery(target.query, queryNames);
    const validated = {
      caller,
      body: validate(
        body,
        json === undefined ? parseBodyFromQuery(declaration, queryParams) : json,
        'The body',
      ),
      params: validate(params, pathParams),
      query: validate(query, queryParams),
    };
    const newDocumentId = declaration.createsDocument && chooseDocumentId(request, validated);
    const input = { ...validated, newDocumentId };
    return {
      input,
      rateLimit: caller
        ? chargeDocuments(caller.uid, quota(), countRequestedDocuments(input, documentListFields))
        : {},
    };
  };

  /** The same for requests with the same `Idempotency-Key` and input; random without a key. */
  function chooseDocumentId(
    request: Request,
    input: Pick<AnyHandlerInput, 'caller' | 'params' | 'body'>,
  ): string {
    const header = request.headers['idempotency-key'];
    const key = validate(idempotencyKeySchema, header, 'Idempotency-Key');
    if (key === undefined) return createDocumentId();
    return createDocumentId([input.caller?.uid, method, path, input.params, key, input.body]);
  }

  function quota(): number {
    const defaultQuota = userRequestsPerMinute.value();
    return defaultQuota === 0 ? 0 : (declaration.requestsPerMinute ?? defaultQuota);
  }

  async function authenticateCaller(request: Request): Promise<Caller> {
    const signIn = await authenticate(request);
    if (logCallers.value()) currentContext().callerHash = hashId(signIn.uid);
    chargeRequest(signIn.uid, quota());
    // Runs after the rate limit, because each lookup uses the project's Firebase Auth quota.
    if (isWrite(declaration) && checkRevoked.value()) await assertNotRevoked(signIn);
    return signIn;
  }
}

/**
 * Counts the documents that a request refers to in these lists, plus the page size that it asks
 * for.
 */
function countRequestedDocuments(
  { body, query: { limit } }: Pick<AnyHandlerInput, 'body' | 'query'>,
  documentListFields: readonly (readonly [name: string, schema: unknown])[],
): number {
  const ids = documentListFields.map(([name]) => (body[name] ?? []) as readonly unknown[]);
  const named = ids.reduce((sum, list) => sum + new Set(list).size, 0);
  return named + (typeof limit === 'number' ? limit : 0);
}

/**
 * Builds the body from repeated query parameters, if the endpoint allows it. Returns an empty
 * object for an endpoint without a body.
 */
function parseBodyFromQuery(
  { body, allowBodyInQuery }: EndpointDeclaration,
  query: QueryParameters,
): unknown {
  if (body === undefined) return {};
  const fields = Object.keys(body.shape).filter((field) => field in query);
  if (allowBodyInQuery !== true || fields.length === 0) {
    throw new HttpsError('invalid-argument', 'A JSON body is required.');
  }
  return Object.fromEntries(fields.map((field) => [field, [query[field] ?? []].flat()]));
}

function methodNotAllowedError(declaration: EndpointDeclaration): ServiceError {
  return new ServiceError(
    'method-not-allowed',
    `This endpoint only accepts ${declaration.method}.`,
    {
      Allow: [...allowedMethods(declaration), 'OPTIONS'].join(', '),
    },
  );
}

/**
 * Validates a value. Throws `invalid-argument` with a sentence about the first invalid field
 * (`flashUpdates[3].order must be …`), which never repeats the value that was sent.
 */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  subject = 'The request',
): z.output<Schema> {
  const result = schema.safeParse(value, { error: describeIssue });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = toDotPath(issue?.path ?? []);
  const problem = issue?.message ?? 'is not valid';
  if (field === '') throw new HttpsError('invalid-argument', `${subject} ${problem}.`);
  throw new FieldError('invalid-argument', { field }, problem);
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
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
function describeIssue(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return 'is required';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPE_NAMES[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`;
    case 'too_small':
      return (
        describeLength(issue, `at least ${issue.minimum}`) ?? `must be ${issue.minimum} or more`
      );
    case 'too_big':
      return (
        describeLength(issue, `at most ${issue.maximum}`) ?? `must be ${issue.maximum} or less`
      );
    default:
      return 'is not valid';
  }
}

/** Describes the allowed length of a string or array; undefined for other types. */
function describeLength(
  { origin }: { readonly origin: string },
  bound: string,
): string | undefined {
  if (origin === 'string') return `must have ${bound} characters`;
  return origin === 'array' ? `must have ${bound} elements` : undefined;
}
