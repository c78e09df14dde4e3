/**
 * Loaded into the firebase CLI's own process, before it. Its Hosting and Functions emulators answer a path with a
 * malformed percent-escape themselves, as 500 in plain text and as an HTML page with a stack, and the function
 * never hears of it. Here such an escape becomes an escaped slash, which goes through both, fits no path
 * and no id, and so is refused by the function, in its words.
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
