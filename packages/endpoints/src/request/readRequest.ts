import type { Request } from 'firebase-functions/https';
import type * as z from 'zod';
import { verifyAppCheck } from '../auth/appCheck.ts';
import { assertNotRevoked, authenticate } from '../auth/authentication.ts';
import {
  listAllowedMethods,
  emptySchema,
  type AnyHandlerInput,
  type Caller,
  type EndpointDeclaration,
} from '../declaration/declaration.ts';
import { ServiceError } from '../declaration/errors.ts';
import {
  appCheck,
  checkRevoked,
  logCallers,
  userRequestsPerMinute,
} from '../declaration/parameters.ts';
import { getCurrentContext } from '../runtime/requestContext.ts';
import { hashId } from '../runtime/requestLog.ts';
import { createDocumentId, idempotencyKeySchema } from './idempotency.ts';
import { readJsonBody } from './jsonBody.ts';
import { parseQueryParameters, type QueryParameters } from './query.ts';
import { chargeDocuments, chargeRequest, type RateLimitHeaders } from './rateLimit.ts';
import { decodePathParams, type EncodedParams } from './route.ts';
import { isPageSizeSchema } from '../schemas/pagination.ts';
import { validate } from '../schemas/validate.ts';

/** A request that has passed all checks. */
interface CheckedRequest {
  readonly input: AnyHandlerInput;
  /** Headers to add to the response. */
  readonly rateLimitHeaders: RateLimitHeaders;
}

/** The parsed target of a request, still percent-encoded. */
export interface ParsedTarget {
  /** Undefined if the path is not that of the endpoint. */
  readonly pathParams: EncodedParams | undefined;
  readonly query: string;
}

/** Checks a request. Throws the error of the first check that fails. */
export type RequestReader = (request: Request, target: ParsedTarget) => Promise<CheckedRequest>;

/** Creates the function that checks the requests of an endpoint. */
export function createRequestReader(declaration: EndpointDeclaration): RequestReader {
  const { access, method, path } = declaration;
  const { params = emptySchema, query = emptySchema, body = emptySchema } = declaration;
  const methods = listAllowedMethods(declaration);
  const bodyInQuery = declaration.allowBodyInQuery ? body.shape : {};
  const pageSizeNames = listPageSizeNames(query);
  const queryNames = new Set(Object.keys({ ...query.shape, ...bodyInQuery }));

  return async function readRequest(request, target) {
    const pathParams = decodePathParams(target.pathParams); // 404, 400
    if (!methods.includes(request.method)) throw methodNotAllowedError(declaration); // 405
    const appCheckMode = appCheck.value();
    if (appCheckMode !== 'off') await verifyAppCheck(request, appCheckMode); // 403
    const caller = access === 'signedIn' ? await authenticateCaller(request) : undefined; // 401, 429
    // The body is not read unless all checks before it pass.
    const json = declaration.body && (await readJsonBody(request)); // 400, 408, 413, 415
    const queryParams = parseQueryParameters(target.query, queryNames); // 400
    // Only undefined means that no body was sent: `null` is a body.
    const bodyInput = json === undefined ? parseBodyFromQuery(declaration, queryParams) : json;
    const input = {
      caller,
      body: validate(body, bodyInput, 'The body'), // 400
      params: validate(params, pathParams),
      query: validate(query, queryParams),
    };
    const newDocumentId =
      declaration.createsDocument && chooseDocumentId(request, input, bodyInput);
    const rateLimitHeaders = caller
      ? chargeDocuments(
          caller.uid,
          userRequestsPerMinute.value(),
          countRequestedDocuments(input, pageSizeNames),
        ) // 429
      : {};
    return { input: { ...input, newDocumentId }, rateLimitHeaders };
  };

  async function authenticateCaller(request: Request): Promise<Caller> {
    const signIn = await authenticate(request);
    if (logCallers.value()) getCurrentContext().callerHash = hashId(signIn.uid);
    chargeRequest(signIn.uid, userRequestsPerMinute.value());
    // Runs after the rate limit, because each lookup uses the project's Firebase Auth quota.
    if (checkRevoked.value()) await assertNotRevoked(signIn);
    return signIn;
  }

  /**
   * Chooses the same ID for requests with the same `Idempotency-Key`, path and body, and a random ID without a key. The body
   * is the received one: validation may add a default that an earlier version of the function did not have.
   */
  function chooseDocumentId(
    request: Request,
    { caller, params }: Pick<AnyHandlerInput, 'caller' | 'params'>,
    receivedBody: unknown,
  ): string {
    const header = request.headers['idempotency-key'];
    const key = validate(idempotencyKeySchema, header, 'Idempotency-Key');
    if (key === undefined) return createDocumentId();
    return createDocumentId([caller?.uid, method, path, params, key, receivedBody]);
  }
}

function listPageSizeNames(query: z.ZodObject): string[] {
  return Object.entries<z.core.$ZodType>(query.shape).flatMap(([name, schema]) =>
    isPageSizeSchema(schema) ? [name] : [],
  );
}

/**
 * Counts the documents that a request refers to or asks for: the distinct items of the lists at the
 * top level of its body, plus its page size.
 */
function countRequestedDocuments(
  { body, query }: Pick<AnyHandlerInput, 'body' | 'query'>,
  pageSizeNames: readonly string[],
): number {
  const lists = Object.values(body).filter(Array.isArray);
  const itemCount = lists.reduce((sum, list) => sum + new Set(list).size, 0);
  const pageSizes = pageSizeNames.map((name) => Number(query[name]));
  return pageSizes.reduce((sum, size) => sum + size, itemCount);
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
    throw new ServiceError('invalid-argument', 'A JSON body is required.');
  }
  return Object.fromEntries(fields.map((field) => [field, [query[field] ?? []].flat()]));
}

function methodNotAllowedError(declaration: EndpointDeclaration): ServiceError {
  const Allow = [...listAllowedMethods(declaration), 'OPTIONS'].join(', ');
  const message = `This endpoint only accepts ${declaration.method}.`;
  return new ServiceError('method-not-allowed', message, { headers: { Allow } });
}
