import type { IncomingMessage, ServerResponse } from 'node:http';
import { posix } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { startTlsProxy } from '../../../dev/tlsProxy.ts';
import { apisOf, createProject, liveVersion, type CloudState } from './apis.ts';
import { Resources } from './resources.ts';

/** A simulation of the Google APIs that a deploy calls, for one project. */
export type Cloud = Awaited<ReturnType<typeof startCloud>>;

/**
 * Starts a simulation of Google's deploy APIs on free local ports, with a project that has a billing account and a
 * database. Connections to hosts other than Google's fail at the TLS handshake.
 */
export async function startCloud(projectId: string, region: string) {
  const site = `${projectId}.web.app`;
  const state: CloudState = {
    project: { id: projectId, number: '123456789012' },
    resources: new Resources(),
    archives: [],
    unknown: [],
  };
  createProject(state, region);
  const callApi = apisOf(state);
  /** The local addresses of the Cloud Run services by name: `us-central1/flash-listbyartist`. */
  const origins = new Map<string, string>();

  async function respond(request: IncomingMessage): Promise<Response> {
    const { method = '', headers, url = '/' } = request;
    const { host = '' } = headers;
    const body = await buffer(request);
    const origin = host === site ? originOf(url) : undefined;
    if (origin !== undefined) return fetch(new URL(url, origin), { method });
    const result = callApi(method, `${host}${url}`, body);
    if (result !== undefined) return Response.json(result);
    return Response.json({ error: { code: 404, message: 'Nothing there.' } }, { status: 404 });
  }

  /** The local address of the service to which Hosting leads a path. */
  function originOf(url: string): string | undefined {
    const [path = ''] = url.split('?');
    const { rewrites = [] } = liveVersion(state, projectId)?.config ?? {};
    const run = rewrites.find(({ glob = '' }) => posix.matchesGlob(path, glob))?.run;
    return run && origins.get(`${run.region}/${run.serviceId}`);
  }

  const proxy = await startTlsProxy(['*.googleapis.com', site], (request, response) => {
    respond(request)
      .then((handled) => send(response, handled))
      .catch((error: unknown) => {
        const { method = '', headers } = request;
        state.unknown.push(`${method} ${headers.host ?? ''}: ${String(error)}`);
        response.destroy();
      });
  });

  return {
    ...state,
    origins,
    /** The environment variables that redirect a process to the simulation. */
    environment: proxy.environment,
    stop: () => proxy.stop(),
  };
}

async function send(response: ServerResponse, handled: Response): Promise<void> {
  const code = handled.headers.get('x-error-code');
  response.writeHead(handled.status, {
    'Content-Type': 'application/json',
    ...(code && { 'x-error-code': code }),
  });
  response.end(await handled.text());
}
