import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { startTlsProxy } from '../../emulator/tlsProxy.ts';
import { firestoreApi, type FirestoreApi } from './firestoreApi.ts';
import { functionsApi, type FunctionsApi } from './functionsApi.ts';
import { hostingApi, type HostingApi } from './hostingApi.ts';
import { forwardTo, serveHosting } from './hostingFront.ts';
import { projectApi, USER_TOKEN, type CloudProject, type ProjectApi } from './projectApi.ts';
import { failure, type Reply, type Route } from './route.ts';

/** A simulation of the Google APIs that a deploy calls, for one project. */
export interface Cloud {
  readonly project: CloudProject;
  readonly services: ProjectApi;
  readonly functions: FunctionsApi;
  readonly firestore: FirestoreApi;
  readonly hosting: HostingApi;
  /** The local addresses of the Cloud Run services by name: `us-central1/flash-listbyartist`. */
  readonly origins: Map<string, string>;
  /** The number of requests by kind: `GET firestore.googleapis.com/v1/projects/{project}/databases`. */
  readonly requestCounts: ReadonlyMap<string, number>;
  /** The requests that the simulation does not know, and has refused. */
  readonly unknown: readonly string[];
  /** The environment variables that redirect a process to the simulation. */
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

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
export async function startCloud({ projectId, region, ...options }: CloudOptions): Promise<Cloud> {
  const project = { id: projectId, number: '123456789012' };
  const site = `${projectId}.web.app`;
  const services = projectApi(project, options.services);
  const functions = functionsApi(project);
  const firestore = firestoreApi(projectId);
  const hosting = hostingApi(projectId);
  const routes = [services, functions, firestore, hosting].flatMap((api) => api.routes);
  const origins = new Map<string, string>();
  const requestCounts = new Map<string, number>();
  const unknown: string[] = [];

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { host = '' } = request.headers;
    const [, service = '', location = ''] = RUN_HOST.exec(host) ?? [];
    const origin = origins.get(`${location}/${service}`);
    if (origin !== undefined) {
      forwardTo(origin, request, response);
      return;
    }
    if (host === site) {
      const originOf = (where: string, id: string) => origins.get(`${where}/${id}`);
      serveHosting(hosting, originOf, request, response);
      return;
    }
    const reply = await replyTo(host, request);
    const body = typeof reply.body === 'object' ? JSON.stringify(reply.body) : reply.body;
    response.writeHead(reply.status ?? 200, {
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...reply.headers,
    });
    response.end(body);
  }

  async function replyTo(host: string, request: IncomingMessage): Promise<Reply> {
    const { method = '' } = request;
    const url = new URL(request.url ?? '/', `https://${host}`);
    const path = decodeURIComponent(url.pathname);
    const body = await buffer(request);
    const { authorization, 'x-goog-user-project': quotaProject } = request.headers;
    if (authorization === `Bearer ${USER_TOKEN}`) {
      if (quotaProject !== projectId) {
        return failure(403, 'PERMISSION_DENIED', 'This API requires a quota project.');
      }
      if (!services.enabled.has(host)) return failure(403, 'SERVICE_DISABLED', 'It is disabled.');
    }
    for (const each of routes) {
      const found = each.host === host && each.method === method ? each.path.exec(path) : null;
      if (found === null) continue;
      const kind = kindOf(each);
      requestCounts.set(kind, (requestCounts.get(kind) ?? 0) + 1);
      return each.reply({
        names: found.groups ?? {},
        query: url.searchParams,
        headers: request.headers,
        body,
      });
    }
    unknown.push(`${method} ${host}${path}`);
    return failure(501, 'UNIMPLEMENTED', 'The simulation does not know this request.');
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
    project,
    services,
    functions,
    firestore,
    hosting,
    origins,
    requestCounts,
    unknown,
    environment: proxy.environment,
    stop: () => proxy.stop(),
  };
}

function kindOf({ method, host, template }: Route): string {
  return `${method} ${host}${template}`;
}
