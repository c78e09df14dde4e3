/** The resources of a project that the checks and the deploy tests read, as Google's APIs return them. */
import type { DeployTarget } from './deployTarget.ts';
import type { ReadGoogle } from './googleApi.ts';

/** A function (https://cloud.google.com/functions/docs/reference/rest/v2/projects.locations.functions). */
export interface CloudFunction {
  /** `projects/P/locations/us-central1/functions/flash-listByArtist` */
  readonly name: string;
  readonly state: string;
  readonly updateTime: string;
  /** Absent if no tool has set labels. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly serviceConfig: {
    /** The Cloud Run service: `projects/P/locations/us-central1/services/flash-listbyartist` */
    readonly service: string;
    readonly environmentVariables: Readonly<Record<string, string>>;
    readonly secretEnvironmentVariables?: readonly object[];
  };
}

/** A version of a Hosting site: its files and its configuration. */
export interface HostingVersion {
  /** The hashes of the files by path: `/index.html`. */
  readonly files: Readonly<Record<string, string>>;
  /** Absent if the version has no rewrites, headers or other settings. */
  readonly config?: {
    /** Each rule has headers or other settings. */
    readonly headers?: readonly {
      readonly glob: string;
      readonly headers?: Readonly<Record<string, string>>;
    }[];
    /** Rewrites to Cloud Run services, such as those of functions. */
    readonly rewrites?: readonly {
      readonly glob?: string;
      readonly run?: { readonly serviceId: string; readonly region?: string };
    }[];
  };
}

/** A release of a Hosting site. A release that disables the site has no version. */
interface HostingRelease {
  readonly version?: HostingVersion;
}

/** Reads the functions of all regions: the first page, with up to 1000. */
export async function readFunctions(read: ReadGoogle, project: string): Promise<CloudFunction[]> {
  const address = `cloudfunctions.googleapis.com/v2/projects/${project}/locations/-/functions`;
  const page = (await read(`${address}?pageSize=1000`)) as
    { readonly functions?: CloudFunction[] } | undefined;
  return page?.functions ?? [];
}

/** A revision of a Cloud Run service (https://cloud.google.com/run/docs/reference/rest/v2/projects.locations.services.revisions). */
export interface Revision {
  /** `projects/P/locations/us-central1/services/flash-reorder/revisions/flash-reorder-00001-abc` */
  readonly name: string;
  readonly createTime: string;
  /** The condition `Ready` has failed if the revision did not start. */
  readonly conditions?: readonly { readonly type: string; readonly state?: string }[];
}

/** Reads the newest revisions of a Cloud Run service, in any order. */
export async function readRevisions(read: ReadGoogle, service: string): Promise<Revision[]> {
  const page = (await read(`run.googleapis.com/v2/${service}/revisions?pageSize=100`)) as
    { readonly revisions?: Revision[] } | undefined;
  return page?.revisions ?? [];
}

/** A composite index (https://firebase.google.com/docs/firestore/reference/rest/v1/projects.databases.collectionGroups.indexes). */
export interface FirestoreIndex {
  readonly name: string;
  readonly state?: 'CREATING' | 'READY' | 'NEEDS_REPAIR';
}

/** Reads the composite indexes of the database. */
export async function readIndexes(
  read: ReadGoogle,
  { project, databaseId }: DeployTarget,
): Promise<FirestoreIndex[]> {
  const address = `firestore.googleapis.com/v1/projects/${project}/databases/${databaseId}/collectionGroups/-/indexes`;
  const page = (await read(`${address}?pageSize=1000`)) as
    { readonly indexes?: FirestoreIndex[] } | undefined;
  return page?.indexes ?? [];
}

/** Reads the name of the site that Hosting deploys to: the site of firebase.json, or the default site of the project. */
export async function readSite(read: ReadGoogle, { project, site }: DeployTarget): Promise<string> {
  if (site !== undefined) return site;
  const response = (await read(`firebase.googleapis.com/v1beta1/projects/${project}`)) as
    { readonly resources?: { readonly hostingSite?: string } } | undefined;
  return response?.resources?.hostingSite ?? project;
}

/** Reads the newest releases of a site, the newest first. */
export async function readReleases(read: ReadGoogle, site: string): Promise<HostingRelease[]> {
  const address = `firebasehosting.googleapis.com/v1beta1/sites/${site}/channels/live/releases`;
  const page = (await read(`${address}?pageSize=10`)) as
    { readonly releases?: HostingRelease[] } | undefined;
  return page?.releases ?? [];
}
