import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type { HostingConfig, HostingVersion } from '../resources.ts';
import { Failure, found, jsonOf, route, type Route } from './route.ts';

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
const SITE = `${API}/projects/*/sites/*`;
const UPLOAD = 'upload-firebasehosting.googleapis.com/upload';

/** Firebase Hosting: sites, versions, releases, and files, which are stored once per hash. */
export function hostingApi(projectId: string): HostingApi {
  const sites = new Set([`projects/${projectId}/sites/${projectId}`]);
  const versions = new Map<string, StoredVersion>();
  const contents = new Map<string, Buffer>();
  const releases: string[] = [];
  let uploads = 0;

  const lackingOf = ({ files }: StoredVersion) =>
    [...files.values()].filter((hash) => !contents.has(hash));
  const live = (site: string) =>
    versions.get(releases.findLast((name) => name.startsWith(`${site}/`)) ?? '');

  const routes = [
    route(`GET ${SITE}`, ({ name }) => {
      if (sites.has(name)) return { name };
      throw new Failure(404, 'NOT_FOUND', 'The site does not exist.');
    }),
    route(`POST ${API}/projects/*/sites`, ({ name, query }) => {
      const site = `${name}/${query.get('siteId') ?? ''}`;
      sites.add(site);
      return { name: site };
    }),
    route(`GET ${API}/sites/*/channels/live/releases`, ({ name }) => {
      const version = live(siteOf(name));
      return { releases: version ? [{ version, releaseTime: '2026-11-21T12:00:00Z' }] : [] };
    }),
    route(`POST ${SITE}/versions`, (call) => {
      const name = `${siteOf(call.name)}/versions/version-${versions.size + 1}`;
      versions.set(name, { name, files: new Map(), config: {} });
      return { name, status: 'CREATED' };
    }),
    route(`POST ${API}/sites/*/versions/*:populateFiles`, (call) => {
      const version = found(versions, call.name);
      const { files } = jsonOf(call) as { files: Record<string, string> };
      for (const [path, hash] of Object.entries(files)) version.files.set(path, hash);
      return {
        uploadRequiredHashes: lackingOf(version),
        uploadUrl: `https://${UPLOAD}/${version.name}/files`,
      };
    }),
    route(`POST ${UPLOAD}/sites/*/versions/*/files/*`, ({ name, body }) => {
      const hash = createHash('sha256').update(body).digest('hex');
      if (!name.endsWith(`/${hash}`)) throw new Failure(400, 'INVALID_ARGUMENT', 'Another hash.');
      contents.set(hash, gunzipSync(body));
      uploads += 1;
      return {};
    }),
    route(`PATCH ${SITE}/versions/*`, (call) => {
      const version = found(versions, siteOf(call.name));
      if (lackingOf(version).length > 0) {
        throw new Failure(400, 'FAILED_PRECONDITION', 'Files are missing.');
      }
      version.config = (jsonOf(call) as { config: HostingConfig }).config;
      return { name: version.name, status: 'FINALIZED' };
    }),
    route(`POST ${SITE}/channels/live/releases`, ({ name, query }) => {
      releases.push(found(versions, query.get('versionName') ?? '').name);
      return { name: `${siteOf(name)}/releases/${releases.length}` };
    }),
  ];
  return {
    routes,
    live: (site = projectId) => live(`sites/${site}`),
    contents: (hash) => contents.get(hash),
    uploads: () => uploads,
    releases: () => releases.length,
  };
}

/** The name of a site or its version without the project: `sites/S/versions/V`; without what is in a channel. */
function siteOf(name: string): string {
  return name.replace(/^projects\/[^/]+\//, '').replace(/\/(channels\/.*|versions)$/, '');
}
