/**
 * Preloaded into the Firebase CLI's process. For a path with a malformed percent-escape, its Hosting and Functions
 * emulators respond with 500, in plain text or as an HTML page with a stack trace, and do not call the function. This
 * patch replaces such an escape with an escaped slash, which both pass on. It is invalid in every path and id, so that
 * the function rejects the request with its own error.
 */
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';

subscribe('http.server.request.start', (message) => {
  const { request } = message as { request: IncomingMessage };
  const [path = '', ...query] = (request.url ?? '/').split('?');
  request.url = [decodable(path), ...query].join('?');
});

function decodable(path: string): string {
  return isDecodable(path)
    ? path
    : path.replace(/(?:%[\da-f]{2})+|%/gi, (escapes) => (isDecodable(escapes) ? escapes : '%2F'));
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
