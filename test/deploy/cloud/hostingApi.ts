import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { failure, jsonOf, route, type Route } from './route.ts';

/** A version of a site: its files and its configuration. */
export interface HostingVersion {
  readonly name: string;
  /** The hashes of the files by path: `/index.html`. */
  readonly files: ReadonlyMap<string, string>;
  readonly config: HostingConfig;
}

/**
 * The serving configuration
 * (https://firebase.google.com/docs/reference/hosting/rest/v1beta1/sites.versions#ServingConfig).
 */
export interface HostingConfig {
  readonly headers?: readonly {
    readonly glob: string;
    readonly headers: Readonly<Record<string, string>>;
  }[];
  readonly rewrites?: readonly HostingRewrite[];
}

/** A rewrite to a Cloud Run service, or to a function of the first generation. */
export interface HostingRewrite {
  readonly glob: string;
  readonly run?: { readonly serviceId: string; readonly region: string };
  readonly function?: string;
}

/** The deployed state of Hosting. */
export interface HostingApi {
  readonly routes: readonly Route[];
  /** The live version of a site: of the default site, if none is named. */
  live(site?: string): HostingVersion | undefined;
  /** The content of a file by its hash. */
  contents(hash: string): Buffer | undefined;
  /** The number of uploaded files. */
  uploads(): number;
  releases(): number;
}

interface StoredVersion {
  name: string;
  files: Map<string, string>;
  config: HostingConfig;
}

const API = 'firebasehosting.googleapis.com/v1beta1';
const SITE = `${API}/projects/{project}/sites/{site}`;
const VERSION = 'sites/{site}/versions/{version}';

/** Firebase Hosting: sites, versions, releases, and files, which are stored once per hash. */
export function hostingApi(projectId: string): HostingApi {
  const sites = new Set([projectId]);
  const versions = new Map<string, StoredVersion>();
  const contents = new Map<string, Buffer>();
  const releases: string[] = [];
  let uploads = 0;

  const find = (site = '', id = '') => versions.get(`sites/${site}/versions/${id}`);
  const lastOf = (site = '') => releases.findLast((name) => name.startsWith(`sites/${site}/`));
  const missing = () => failure(404, 'NOT_FOUND', 'The version does not exist.');

  const populate = route(`POST ${API}/${VERSION}:populateFiles`, (call) => {
    const { site, version: id } = call.names;
    const version = find(site, id);
    if (version === undefined) return missing();
    const { files } = jsonOf(call) as { files: Record<string, string> };
    for (const [path, hash] of Object.entries(files)) version.files.set(path, hash);
    return {
      body: {
        uploadRequiredHashes: Object.values(files).filter((hash) => !contents.has(hash)),
        uploadUrl: `https://upload-firebasehosting.googleapis.com/upload/${version.name}/files`,
      },
    };
  });

  const routes = [
    route(`GET ${SITE}`, ({ names }) =>
      sites.has(names.site ?? '')
        ? { body: { name: `projects/${projectId}/sites/${names.site ?? ''}` } }
        : failure(404, 'NOT_FOUND', 'The site does not exist.'),
    ),
    route(`POST ${API}/projects/{project}/sites`, ({ query }) => {
      const site = query.get('siteId') ?? '';
      sites.add(site);
      return { body: { name: `projects/${projectId}/sites/${site}` } };
    }),
    route(`GET ${API}/sites/{site}/channels/live/releases`, ({ names }) => {
      const version = versions.get(lastOf(names.site) ?? '');
      return {
        body: { releases: version ? [{ version, releaseTime: '2026-11-21T12:00:00Z' }] : [] },
      };
    }),
    route(`POST ${SITE}/versions`, ({ names }) => {
      const name = `sites/${names.site ?? ''}/versions/version-${versions.size + 1}`;
      versions.set(name, { name, files: new Map(), config: {} });
      return { body: { name, status: 'CREATED' } };
    }),
    populate,
    route(
      `POST upload-firebasehosting.googleapis.com/upload/${VERSION}/files/{hash}`,
      ({ names, body }) => {
        const hash = createHash('sha256').update(body).digest('hex');
        if (hash !== names.hash) return failure(400, 'INVALID_ARGUMENT', 'content hash mismatch');
        contents.set(hash, gunzipSync(body));
        uploads += 1;
        return {};
      },
    ),
    route(`PATCH ${SITE}/versions/{version}`, (call) => {
      const version = find(call.names.site, call.names.version);
      if (version === undefined) return missing();
      const lacking = [...version.files.values()].filter((hash) => !contents.has(hash));
      if (lacking.length > 0) return failure(400, 'FAILED_PRECONDITION', 'Files are missing.');
      version.config = (jsonOf(call) as { config: HostingConfig }).config;
      return { body: { name: version.name, status: 'FINALIZED' } };
    }),
    route(`POST ${SITE}/channels/live/releases`, ({ names, query }) => {
      const version = versions.get(query.get('versionName') ?? '');
      if (version === undefined) return missing();
      releases.push(version.name);
      return { body: { name: `sites/${names.site ?? ''}/releases/${releases.length}` } };
    }),
  ];
  return {
    routes,
    live: (site = projectId) => versions.get(lastOf(site) ?? ''),
    contents: (hash) => contents.get(hash),
    uploads: () => uploads,
    releases: () => releases.length,
  };
}
