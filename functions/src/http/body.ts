import { HttpsError, type Request } from 'firebase-functions/https';
import { arrivalOf } from './arrival.ts';
import { HttpRefusal } from './errors.ts';

/** The largest body that is read, in bytes: 1 MiB. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** Whether the request carries a body, of whatever kind. */
export function hasBody(request: Request): boolean {
  return bytesOf(request).length > 0;
}

/**
 * The JSON value that the request carries. Throws 413 for more than 1 MiB, 415 for what is not said to be
 * plain UTF-8 JSON, `invalid-argument` for what is not JSON.
 */
export function jsonBody(request: Request): unknown {
  const bytes = bytesOf(request);
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

/** Without a body the framework leaves `rawBody` unset, whatever its type says. */
function bytesOf(request: Request): Buffer {
  const { rawBody } = request as { readonly rawBody?: Buffer };
  return rawBody ?? Buffer.alloc(0);
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
