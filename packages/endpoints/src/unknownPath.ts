import type { ServerResponse } from 'node:http';
import { onRequest, type Request } from 'firebase-functions/https';
import { concurrency } from './declaration/parameters.ts';
import { RUNTIME_OPTIONS } from './defineEndpoint.ts';
import { routeNotFoundError } from './request/route.ts';
import { toErrorResponse } from './response/errorResponse.ts';
import { buildCommonHeaders, createPreflightResponse } from './response/httpResponse.ts';
import { sendResponse } from './response/send.ts';
import { RequestContext } from './runtime/requestContext.ts';
import { logRequest } from './runtime/requestLog.ts';

/**
 * The Cloud Function for paths that belong to no endpoint: it responds like an endpoint to another path. It has one
 * instance and is not kept warm, so that scanners neither use up the instances of an endpoint nor cost much.
 */
export const unknownPath = onRequest(
  { ...RUNTIME_OPTIONS, concurrency: concurrency.param, minInstances: 0, maxInstances: 1 },
  respondNotFound,
);

/** Responds to a preflight with 204, and to other requests with 404. It ignores the body. */
function respondNotFound(request: Request, response: ServerResponse): void {
  const startedAt = performance.now();
  const context = new RequestContext();
  const httpResponse =
    request.method === 'OPTIONS'
      ? createPreflightResponse(request)
      : toErrorResponse(routeNotFoundError(), false);
  sendResponse(request, response, httpResponse, buildCommonHeaders(request, context.requestId));
  const { status, headers } = httpResponse;
  const errorCode = headers['X-Error-Code'];
  const loggedRequest = { method: request.method, path: undefined, status, errorCode };
  logRequest(loggedRequest, performance.now() - startedAt, context);
}
