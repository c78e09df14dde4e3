import { request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import { posix } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { startTlsProxy } from '../../../dev/tlsProxy.ts';
import type { ReadGoogle } from '../../checks/googleApi.ts';
import { apiRoutes, liveVersion, USER_TOKEN, type CloudState } from './apis.ts';
import { Resources } from './resources.ts';
import { Failure, nameOf } from './route.ts';

/** A simulation of the Google APIs that a deploy calls, for one project. */
export interface Cloud extends CloudState {
  /**
   * The local addresses of the Cloud Run services by name (`us-central1/flash-listbyartist`), and of the documents of
   * Firestore (`firestore.googleapis.com`).
   */
  readonly origins: Map<string, string>;
  /** Reads an API like the checks do. */
  readonly read: ReadGoogle;
  /** The requests that the simulation does not know, and has refused. */
  readonly unknown: readonly string[];
  /** The environment variables that redirect a process to the simulation. */
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** The database, whose documents an emulator has. */
const FIRESTORE = 'firestore.googleapis.com';

/** The host of a service: its name, the project number, its region. */
const RUN_HOST = /^(.+)-\d+\.([a-z0-9-]+)\.run\.app$/;

/** The initial state of the project. */
export interface CloudOptions {
  readonly projectId: string;
  readonly region: string;
  /** The enabled services: `cloudfunctions.googleapis.com`. */
  readonly services: Iterable<string>;
}

/**
 * Starts a simulation of Google's deploy APIs on free local ports, with a project that has a billing account. Unknown
 * requests get 501. Connections to hosts other than Google's fail at the TLS handshake.
 */
export async function startCloud({ projectId, region, services }: CloudOptions): Promise<Cloud> {
  const site = `${projectId}.web.app`;
  const state: CloudState = {
    project: { id: projectId, number: '123456789012' },
    resources: new Resources(),
    enabled: new Set(services),
    archives: new Map(),
    contents: new Map(),
  };
  state.resources.put(`sites/${projectId}`, {});
  state.resources.put(`projects/${projectId}/locations/${region}`, { locationId: region });
  const routes = apiRoutes(state);
  const origins = new Map<string, string>();
  const unknown: string[] = [];

  function call(method: string, address: string, body: Buffer): object {
    const { host, pathname, searchParams: query } = new URL(`https://${address}`);
    const path = decodeURIComponent(pathname);
    const found = routes.find(({ pattern }) => pattern.test(`${method} ${host}${path}`));
    if (found !== undefined) return found.reply({ name: nameOf(path), query, body });
    unknown.push(`${method} ${host}${path}`);
    throw new Failure(501, 'UNIMPLEMENTED', 'The simulation does not know this request.');
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', headers, url = '/' } = request;
    const { host = '' } = headers;
    try {
      requireAccess(request);
      const origin = originOf(host, url);
      if (host === FIRESTORE) headers.authorization = 'Bearer owner';
      if (origin === undefined) {
        reply(response, 200, call(method, `${host}${url}`, await buffer(request)));
      } else {
        forwardTo(origin, request, response);
      }
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const { code, status, message } = error;
      reply(response, code, { error: { code, status, message } });
    }
  }

  /** The local address of a service, if a request to this host and path leads there, directly or through Hosting. */
  function originOf(host: string, path: string): string | undefined {
    const [, service = '', location = ''] = RUN_HOST.exec(host) ?? [];
    if (host === FIRESTORE && path.includes('/documents')) return origins.get(host);
    if (host !== site) return origins.get(`${location}/${service}`);
    const { rewrites = [] } = liveVersion(state.resources, projectId)?.config ?? {};
    const run = rewrites.find(({ glob }) => posix.matchesGlob(path, glob))?.run;
    return run && origins.get(`${run.region}/${run.serviceId}`);
  }

  /** Like Google, refuses a user's calls without a quota project, or to a service that is not enabled. */
  function requireAccess({ headers }: IncomingMessage): void {
    if (headers.authorization !== `Bearer ${USER_TOKEN}`) return;
    if (headers['x-goog-user-project'] !== projectId) {
      throw new Failure(403, 'PERMISSION_DENIED', 'This API requires a quota project.');
    }
    if (!state.enabled.has(headers.host ?? '')) {
      throw new Failure(403, 'SERVICE_DISABLED', 'It is disabled.');
    }
  }

  const proxy = await startTlsProxy(
    ['*.googleapis.com', site, `*.${region}.run.app`],
    (request, response) => {
      handle(request, response).catch((error: unknown) => {
        unknown.push(`${request.method ?? ''} ${request.headers.host ?? ''}: ${String(error)}`);
        response.destroy();
      });
    },
  );

  return {
    ...state,
    origins,
    read: (address) => Promise.resolve(call('GET', address, Buffer.of())),
    unknown,
    environment: proxy.environment,
    stop: () => proxy.stop(),
  };
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

/** Forwards a request to a local server, and its response back. */
function forwardTo(origin: string, request: IncomingMessage, response: ServerResponse): void {
  const { method, headers } = request;
  const onward = forward(new URL(request.url ?? '/', origin), { method, headers }, (handled) => {
    response.writeHead(handled.statusCode ?? 502, handled.headers);
    handled.pipe(response);
  });
  onward.on('error', () => response.destroy());
  request.pipe(onward);
}
