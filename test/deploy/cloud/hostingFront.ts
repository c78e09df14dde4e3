import { request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import { posix } from 'node:path';
import type { HostingApi, HostingVersion } from './hostingApi.ts';

/** Where a service of Cloud Run runs on this machine; undefined where there is no such service. */
export type Origins = (region: string, serviceId: string) => string | undefined;

/**
 * Serves a request as Hosting does: a published file, or the service that the first matching rewrite names. Headers of
 * the configuration are added to either.
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

/** The headers that the configuration of a version adds to a path. */
export function headersOf(
  version: Pick<HostingVersion, 'config'> | undefined,
  path: string,
): Readonly<Record<string, string>> {
  const matching = (version?.config.headers ?? []).filter(({ glob }) =>
    posix.matchesGlob(path, glob),
  );
  return Object.assign({}, ...matching.map(({ headers }) => headers)) as Record<string, string>;
}

/** Passes a request on to a server of this machine, and its response back. */
export function forwardTo(
  origin: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { method, headers } = request;
  const onward = forward(new URL(request.url ?? '/', origin), { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  request.pipe(onward);
}
