/**
 * Rejects the web SDK, and all other API calls of web pages, with an explanation that the page can read. There are no security
 * rules: any web page in the developer's browser could read and write everything.
 */
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { unimplementedError, type ApiError } from '../engine/apiError.ts';

/** Matches calls of the REST API, and of the streams of the web SDK: their names. */
const API_PATH = /^\/v1\/.*?(?::(\w+))?(?:\?|$)|^\/google\.firestore\.v1\.Firestore\/(\w+)/s;

/** Returns the name of an API call of the web SDK or another web page (`batchGet`, `Listen`); undefined for other requests. */
export function findWebSdkCall({ url = '', method, headers }: IncomingMessage): string | undefined {
  const match = API_PATH.exec(url);
  const isFromPage = headers.origin !== undefined || isWebSdk(headers);
  return match && isFromPage ? (match[1] ?? match[2] ?? String(method)) : undefined;
}

/** Returns whether a request comes from the web SDK. It also runs in Node, without the header `Origin`. The Admin SDK is `fire`, too. */
export function isWebSdk(headers: IncomingHttpHeaders): boolean {
  const client = String(headers['x-goog-api-client']);
  return client.includes(' fire/') && !client.includes(' fire-admin/');
}

/** The error for a call of the web SDK. */
export function webSdkError(call: string): ApiError {
  return unimplementedError(`${call} of the web SDK`);
}

/** Creates the headers that let a web page send a call with credentials, as the web SDK does, and read the error. */
export function createCorsHeaders({ headers }: IncomingMessage): OutgoingHttpHeaders {
  const { origin } = headers;
  if (origin === undefined) return {};
  return {
    // Wildcards do not apply to requests with credentials.
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Allow-Methods': headers['access-control-request-method'] ?? 'POST',
    'Access-Control-Allow-Headers': headers['access-control-request-headers'] ?? '*',
  };
}
