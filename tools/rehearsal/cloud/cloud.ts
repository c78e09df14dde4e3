import type { IncomingMessage, ServerResponse } from 'node:http';
import { posix } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { startTlsProxy } from '../../../dev/tlsProxy.ts';
import { apisOf, createProject, liveVersion, type CloudState } from './apis.ts';
import { Resources } from './resources.ts';

/** A simulation of the Google APIs that a deploy calls, for one project. */
export interface Cloud extends CloudState {
  /** The local addresses of the Cloud Run services by name: `us-central1/flash-listbyartist`. */
  readonly origins: Map<string, string>;
  /** The environment variables that redirect a process to the simulation. */
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/**
 * Starts a simulation of Google's deploy APIs on free local ports, with a project that has a billing account and a
 * database. Connections to hosts other than Google's fail at the TLS handshake.
 */
export async function startCloud(projectId: string, region: string): Promise<Cloud> {
  const site = `${projectId}.web.app`;
  const state: CloudState = {
    project: { id: projectId, number: '123456789012' },
    resources: new Resources(),
    archives: [],
    unknown: [],
  };
  createProject(state, region);
  const callApi = apisOf(state);
  const origins = new Map<string, string>();

  async function respond(request: IncomingMessage): Promise<Response> {
    const { method = '', headers, url = '/' } = request;
    const { host = '' } = headers;
    const body = await buffer(request);
    const origin = host === site ? originOf(url) : undefined;
    if (origin !== undefined) return fetch(new URL(url, origin), { method });
    const result = callApi(method, `${host}${url}`, body);
    return result ? Response.json(result) : refusal(404);
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
    environment: proxy.environment,
    stop: () => proxy.stop(),
  };
}

function refusal(code: number): Response {
  const error = { code, message: 'Refused by the simulation.' };
  return Response.json({ error }, { status: code });
}

async function send(response: ServerResponse, handled: Response): Promise<void> {
  const code = handled.headers.get('x-error-code');
  response.writeHead(handled.status, {
    'Content-Type': 'application/json',
    ...(code && { 'x-error-code': code }),
  });
  response.end(await handled.text());
}
