import { HttpsError, type Request } from 'firebase-functions/https';
import { arrivalOf } from './arrival.ts';
import { HttpRefusal } from './errors.ts';

/** The largest body that is read, in bytes: 1 MiB. */
export const MAX_BODY_BYTES = 1024 * 1024;

/**
 * The JSON value that the request carries. Throws 413 for more than 1 MiB, 415 for what is not said to be
 * plain UTF-8 JSON, `invalid-argument` for what is not JSON.
 */
export function jsonBody(request: Request): unknown {
  // Without a body the framework leaves rawBody unset, whatever its type says.
  const bytes = (request.rawBody as Buffer | undefined) ?? Buffer.alloc(0);
  if (bytes.length === 0) throw new HttpsError('invalid-argument', 'A JSON body is required.');
  const { contentType, contentEncoding } = arrivalOf(request);
  if (!isJsonType(contentType)) {
    throw new HttpRefusal(415, 'The Content-Type must be application/json, in UTF-8.');
  }
  if ((contentEncoding ?? 'identity').trim().toLowerCase() !== 'identity') {
    throw new HttpRefusal(415, 'The body must be sent without a Content-Encoding.');
  }
  if (bytes.length > MAX_BODY_BYTES) {
    throw new HttpRefusal(413, 'The body must not be larger than 1 MiB.');
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new HttpsError('invalid-argument', 'The body is not valid JSON.');
  }
}

function isJsonType(contentType: string | undefined): boolean {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';');
  return (
    type.trim() === 'application/json' &&
    parameters.every(
      (parameter) => !/^\s*charset\s*=/.test(parameter) || /=\s*"?utf-?8"?\s*$/.test(parameter),
    )
  );
}
