import { request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import { posix } from 'node:path';
import type { HostingApi, HostingVersion } from './hostingApi.ts';

/** The local address of a Cloud Run service, or undefined if there is no such service. */
export type Origins = (region: string, serviceId: string) => string | undefined;

/**
 * Serves a request like Hosting: a published file, or the service of the first matching rewrite, with the configured
 * headers.
 */
export function serveHosting(
  hosting: HostingApi,
  origins: Origins,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { pathname } = new URL(request.url ?? '/', 'https://site');
  const version = hosting.live();
  for (const [name, value] of Object.entries(headersOf(version, pathname))) {
    response.setHeader(name, value);
  }
  const file = version?.files.get(pathname.replace(/\/$/, '/index.html'));
  const run = version?.config.rewrites?.find(({ glob }) => posix.matchesGlob(pathname, glob))?.run;
  const origin = run && origins(run.region, run.serviceId);
  if (file !== undefined) response.end(hosting.contents(file));
  else if (origin !== undefined) forwardTo(origin, request, response);
  else response.writeHead(404).end();
}

/** The configured headers of a version for a path. */
export function headersOf(
  version: Pick<HostingVersion, 'config'> | undefined,
  path: string,
): Readonly<Record<string, string>> {
  const matching = (version?.config.headers ?? []).filter(({ glob }) =>
    posix.matchesGlob(path, glob),
  );
  return Object.assign({}, ...matching.map(({ headers }) => headers)) as Record<string, string>;
}

/** Forwards a request to a local server, and its response back. */
export function forwardTo(
  origin: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { method, headers } = request;
  const onward = forward(new URL(request.url ?? '/', origin), { method, headers }, (handle) => {
    response.writeHead(handle.statusCode ?? 502, handle.headers);
    handle.pipe(response);
  });
  onward.on('error', () => response.destroy());
  request.pipe(onward);
}
