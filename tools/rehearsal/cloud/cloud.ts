import type { IncomingMessage, ServerResponse } from 'node:http';
import { posix } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { startTlsProxy } from '../../../dev/tlsProxy.ts';
import type { ReadGoogle } from '../../checks/googleApi.ts';
import { apisOf, createProject, liveVersion, nameOf, USER_TOKEN, type CloudState } from './apis.ts';
import { Resources } from './resources.ts';

/** A simulation of the Google APIs that a deploy calls, for one project. */
export interface Cloud extends CloudState {
  /**
   * The local addresses of the Cloud Run services by name (`us-central1/flash-listbyartist`), and of the documents of
   * Firestore (`firestore.googleapis.com`).
   */
  readonly origins: Map<string, string>;
  /** Reads an API like the checks do. */
  readonly read: ReadGoogle;
  /** The environment variables that redirect a process to the simulation. */
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** The database, whose documents an emulator has. */
const FIRESTORE = 'firestore.googleapis.com';

/** The host of a service: its name, the project number, its region. */
const RUN_HOST = /^(.+)-\d+\.([a-z0-9-]+)\.run\.app$/;

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

  function call(method: string, address: string, body: Buffer): object | undefined {
    const { host, pathname, searchParams: query } = new URL(`https://${address}`);
    const path = decodeURIComponent(pathname);
    const name = nameOf(path, state.project);
    return callApi({ request: `${method} ${host}${path}`, name, query, body });
  }

  async function respond(request: IncomingMessage): Promise<Response> {
    const { method = '', headers, url = '/' } = request;
    const { host = '', authorization, 'x-goog-user-project': quotaProject } = headers;
    const body = await buffer(request);
    // Like Google, refuses a user's calls without a quota project.
    if (authorization === `Bearer ${USER_TOKEN}` && quotaProject !== projectId) return refusal(403);
    const origin = originOf(host, url);
    if (origin !== undefined) {
      // With administrator rights.
      const sent = { Authorization: 'Bearer owner', 'Content-Type': 'application/json' };
      return fetch(new URL(url, origin), {
        method,
        headers: sent,
        ...(body.length > 0 && { body }),
      });
    }
    const result = call(method, `${host}${url}`, body);
    return result ? Response.json(result) : refusal(404);
  }

  /** The local address of a service, if a request to this host and path leads there, directly or through Hosting. */
  function originOf(host: string, path: string): string | undefined {
    const [, service = '', location = ''] = RUN_HOST.exec(host) ?? [];
    if (host === FIRESTORE && path.includes('/documents')) return origins.get(host);
    if (host !== site) return origins.get(`${location}/${service}`);
    const { rewrites = [] } = liveVersion(state, projectId)?.config ?? {};
    const run = rewrites.find(({ glob = '' }) => posix.matchesGlob(path, glob))?.run;
    return run && origins.get(`${run.region}/${run.serviceId}`);
  }

  const proxy = await startTlsProxy(
    ['*.googleapis.com', site, `*.${region}.run.app`],
    (request, response) => {
      respond(request)
        .then((handled) => send(response, handled))
        .catch((error: unknown) => {
          const { method = '', headers } = request;
          state.unknown.push(`${method} ${headers.host ?? ''}: ${String(error)}`);
          response.destroy();
        });
    },
  );

  return {
    ...state,
    origins,
    read: (address) => Promise.resolve(call('GET', address, Buffer.of())),
    environment: proxy.environment,
    stop: () => proxy.stop(),
  };
}

function refusal(code: number): Response {
  const error = { code, message: 'Refused by the simulation.' };
  return Response.json({ error }, { status: code });
}

async function send(response: ServerResponse, handled: Response): Promise<void> {
  const id = handled.headers.get('x-request-id');
  response.writeHead(handled.status, {
    'Content-Type': 'application/json',
    ...(id && { 'x-request-id': id }),
  });
  response.end(await handled.text());
}
