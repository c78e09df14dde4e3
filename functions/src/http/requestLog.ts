import { logger } from 'firebase-functions/logger';
import type { Usage } from '../requestContext.ts';

/** A request that was answered, as its line in the log tells of it: nothing that a caller has sent is in it. */
export interface AnsweredRequest {
  readonly requestId: string;
  readonly method: string;
  /** The path template of the endpoint, not the path that was sent: that may hold ids. */
  readonly path: string;
  readonly status: number;
  readonly latencyMs: number;
  readonly usage: Usage;
}

/**
 * Writes the line of a request, in the form that Cloud Logging reads
 * (https://cloud.google.com/logging/docs/structured-logging): `httpRequest` becomes the entry's own, and the SDK's
 * logger adds the trace of the request.
 */
export function logRequest(request: AnsweredRequest): void {
  const { requestId, method, path, status, latencyMs, usage } = request;
  logger.write({
    severity: status >= 500 ? 'ERROR' : status === 429 ? 'WARNING' : 'INFO',
    message: `${method} ${path} ${status}`,
    httpRequest: {
      requestMethod: method,
      requestUrl: path,
      status,
      latency: `${(latencyMs / 1000).toFixed(6)}s`,
    },
    function: functionName(),
    requestId,
    status,
    latencyMs: Math.round(latencyMs * 1000) / 1000,
    firestoreReads: usage.reads,
    firestoreWrites: usage.writes,
  });
}

/**
 * Logs why a request was answered with a 5xx. A fault of ours (500) takes the form that Error Reporting groups by its
 * stack (https://cloud.google.com/error-reporting/docs/formatting-error-messages); what passes by itself is a warning.
 */
export function reportError(
  error: unknown,
  { requestId, method, path, status }: Omit<AnsweredRequest, 'latencyMs' | 'usage'>,
): void {
  if (status !== 500) {
    logger.warn(error, { requestId });
    return;
  }
  logger.error(error, {
    '@type': 'type.googleapis.com/google.devtools.clouderrorreporting.v1beta1.ReportedErrorEvent',
    serviceContext: { service: functionName(), version: process.env.K_REVISION ?? 'local' },
    context: { httpRequest: { method, url: path, responseStatusCode: status } },
    requestId,
  });
}

/** The name of the function that this process serves: the platform says so. */
function functionName(): string {
  return process.env.K_SERVICE ?? process.env.FUNCTION_TARGET ?? 'unknown';
}
