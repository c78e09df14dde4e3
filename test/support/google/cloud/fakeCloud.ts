import type { IncomingMessage, ServerResponse } from 'node:http';
import { posix } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { startTlsProxy } from '../tlsProxy.ts';
import { createFakeApis, createProject, getLiveVersion, type CloudState } from './apis.ts';
import { Resources } from './resources.ts';

/** The host of a Hosting site: its ID. */
const SITE_HOST = /^([\w-]+)\.web\.app$/;

/** A fake of the Google APIs that a deploy calls, for one project. */
export type FakeCloud = Awaited<ReturnType<typeof startFakeCloud>>;

/**
 * Starts a fake of Google's deploy APIs on free local ports, with a project that has a billing account and a database,
 * and of its Hosting sites. Connections to hosts other than Google's fail at the TLS handshake.
 */
export async function startFakeCloud(projectId: string, region: string) {
  const state: CloudState = {
    project: { id: projectId, number: '123456789012' },
    resources: new Resources(),
    uploadedSources: [],
    unhandledRequests: [],
  };
  createProject(state, region);
  const callApi = createFakeApis(state);
  /** The local addresses of the Cloud Run services by name: `us-central1/flash-listbyartist`. */
  const origins = new Map<string, string>();

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', headers, url = '/' } = request;
    const { host = '' } = headers;
    const body = await buffer(request);
    const site = SITE_HOST.exec(host)?.[1];
    const origin = site && findOrigin(site, url);
    if (origin !== undefined) {
      const forwarded = await fetch(new URL(url, origin), { method });
      const code = forwarded.headers.get('x-error-code');
      response.writeHead(forwarded.status, code === null ? {} : { 'x-error-code': code });
      response.end(await forwarded.text());
      return;
    }
    // The sites have no files.
    const result = site !== undefined ? undefined : callApi(method, `${host}${url}`, body);
    response.writeHead(result === undefined ? 404 : 200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(result ?? { error: { code: 404, message: 'Not found.' } }));
  }

  /** Finds the local address of the service to which a Hosting site rewrites a path. */
  function findOrigin(site: string, url: string): string | undefined {
    const [path = ''] = url.split('?');
    const { rewrites = [] } = getLiveVersion(state, site)?.config ?? {};
    const run = rewrites.find(({ glob = '' }) => posix.matchesGlob(path, glob))?.run;
    return run && origins.get(`${run.region}/${run.serviceId}`);
  }

  const proxy = await startTlsProxy(['*.googleapis.com', '*.web.app'], (request, response) => {
    respond(request, response).catch((error: unknown) => {
      state.unhandledRequests.push(`${request.method} ${request.headers.host}: ${String(error)}`);
      response.destroy();
    });
  });

  return {
    ...state,
    origins,
    /** The environment variables that redirect a process to the fake cloud. */
    environment: proxy.environment,
    stop: () => proxy.stop(),
  };
}
