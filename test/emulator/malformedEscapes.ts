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
  request.url = decodable(request.url ?? '/');
});

function decodable(url: string): string {
  try {
    decodeURIComponent(url);
    return url;
  } catch {
    return url.replace(/(?:%[\da-f]{2})+|%/gi, (escapes) => {
      try {
        decodeURIComponent(escapes);
        return escapes;
      } catch {
        return '%2F';
      }
    });
  }
}
