import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { CloudFunction, HostingVersion, StoredIndex } from '../../checks/resources.ts';
import type { Resource, Resources } from './resources.ts';
import { Failure, jsonOf, route, type Call, type Route } from './route.ts';

/** What a deploy can change. */
export interface CloudState {
  readonly project: { readonly id: string; readonly number: string };
  readonly resources: Resources;
  /** The enabled services: `cloudfunctions.googleapis.com`. */
  readonly enabled: Set<string>;
  /** The uploaded archives of functions by the name of the object. */
  readonly archives: Map<string, Buffer>;
  /** The contents of the files of Hosting by hash. */
  readonly contents: Map<string, Buffer>;
}

/** The access token of a user's Application Default Credentials: its calls need a quota project. */
export const USER_TOKEN = 'user-token';

/** How a collection differs from the standard. */
interface Behaviour {
  /** The fields to store for what was sent; undefined deletes the resource. */
  readonly stored?: (sent: object, name: string) => object | undefined;
  /** The fields of a resource that nobody has created. */
  readonly initial?: object;
  /** Whether a change returns an operation, whose result is requested later. */
  readonly isSlow?: boolean;
}

/** The methods of Google's APIs that a deploy calls. All callers have all permissions. */
export function apiRoutes(state: CloudState): Route[] {
  const { resources } = state;

  /** The standard methods of a collection, except for delete: list, get, create, update (https://google.aip.dev/130). */
  function collection(address: string, behaviour: Behaviour = {}): Route[] {
    const { stored = (sent: object) => sent, initial, isSlow = false } = behaviour;
    const kind = basename(address);

    const get = ({ name }: Call) =>
      initial && !resources.has(name) ? { ...initial, name } : resources.get(name);
    const change = (name: string, sent: object) => {
      const fields = stored(sent, name);
      const resource = fields ? resources.put(name, fields) : { name };
      if (!fields) resources.delete(name);
      return isSlow ? operation(resource) : resource;
    };

    return [
      route(`GET ${address}`, ({ name }) => ({ [kind]: resources.list(`${name}/-`) })),
      route(`GET ${address}/*`, get),
      route(`POST ${address}`, (call) => {
        const sent = jsonOf(call) as Partial<Resource>;
        // Each API has its own parameter: functionId, siteId.
        const [, id] = [...call.query].find(([name]) => name.endsWith('Id')) ?? [];
        const number = resources.list(`${call.name}/-`).length + 1;
        const name = id === undefined ? sent.name : `${call.name}/${id}`;
        if (name !== undefined && resources.has(name)) {
          throw new Failure(409, 'ALREADY_EXISTS', `${name} exists.`);
        }
        return change(name ?? `${call.name}/${kind}-${number}`, sent);
      }),
      route(`PATCH ${address}/*`, (call) => {
        get(call);
        return change(call.name, jsonOf(call));
      }),
    ];
  }

  /** An operation, which is done when its result is requested. */
  function operation(response: { readonly name: string }): object {
    // That of a function belongs to its location.
    const parent = response.name.replace(/\/functions\/.*$/, '');
    const number = resources.list(`${parent}/operations/-`).length + 1;
    const name = `${parent}/operations/operation-${number}`;
    resources.put(name, { done: true, response });
    return { name, done: false, response };
  }

  return [
    ...projectRoutes(state),
    ...functionRoutes(state, collection),
    ...firestoreRoutes(collection),
    ...hostingRoutes(state, collection),
  ];
}

type Collection = (address: string, behaviour?: Behaviour) => Route[];

/** OAuth, Resource Manager, Service Usage, Cloud Billing, IAM, and the Firebase Management API. */
function projectRoutes({ project: { id, number }, resources, enabled }: CloudState): Route[] {
  const project = { projectId: id, projectNumber: number, state: 'ACTIVE', displayName: id };
  const token = (access_token: string) => ({
    ...{ access_token, expires_in: 3600, token_type: 'Bearer' },
  });
  const done = { name: 'operations/done', done: true };
  const PROJECT = 'cloudresourcemanager.googleapis.com/v1/projects/*';
  const SERVICES = 'serviceusage.googleapis.com';
  const FIREBASE = 'firebase.googleapis.com/v1beta1/projects/*';
  const policy = ({ name }: Call) => {
    const policyName = `${name}/policy`;
    return resources.has(policyName) ? resources.get(policyName) : { bindings: [] };
  };
  const setPolicy = (call: Call) =>
    resources.put(`${call.name}/policy`, (jsonOf(call) as { policy: object }).policy);
  const allPermissions = (call: Call) => ({
    permissions: (jsonOf(call) as { permissions: string[] }).permissions,
  });
  const SERVICE = 'run.googleapis.com/v1/projects/*/locations/*/services/*';
  return [
    // The firebase CLI asks the first, the credentials of gcloud the second.
    route('POST www.googleapis.com/oauth2/v3/token', () => token('cli-token')),
    route('POST oauth2.googleapis.com/token', () => token(USER_TOKEN)),

    route(`GET ${PROJECT}`, () => ({ ...project, lifecycleState: 'ACTIVE' })),
    route(`POST ${PROJECT}:testIamPermissions`, allPermissions),
    route(
      'POST iam.googleapis.com/v1/projects/*/serviceAccounts/*:testIamPermissions',
      allPermissions,
    ),
    route(`POST ${PROJECT}:getIamPolicy`, policy),
    route(`POST ${PROJECT}:setIamPolicy`, setPolicy),
    route(`GET ${SERVICE}:getIamPolicy`, policy),
    route(`POST ${SERVICE}:setIamPolicy`, setPolicy),

    route(`GET ${SERVICES}/v1/projects/*/services/*`, ({ name }) => ({
      state: enabled.has(basename(name)) ? 'ENABLED' : 'DISABLED',
    })),
    route(`POST ${SERVICES}/v1/projects/*/services/*:enable`, ({ name }) => {
      enabled.add(basename(name));
      return done;
    }),
    route(`POST ${SERVICES}/v1beta1/projects/*/services/*:generateServiceIdentity`, () => done),
    route('GET cloudbilling.googleapis.com/v1/projects/*/billingInfo', () => ({
      billingEnabled: true,
    })),
    route('GET compute.googleapis.com/compute/v1/projects/*', () => ({
      defaultServiceAccount: `${number}-compute@developer.gserviceaccount.com`,
    })),

    route(`GET ${FIREBASE}`, ({ name }) => {
      if (name === `projects/${id}`) return { ...project, resources: { hostingSite: id } };
      throw new Failure(404, 'NOT_FOUND', 'There is no such project.');
    }),
    route(`GET ${FIREBASE}/adminSdkConfig`, () => ({
      projectId: id,
      storageBucket: `${id}.firebasestorage.app`,
    })),
  ];
}

/** Cloud Functions (2nd generation) with its uploads, the repository of its builds, and Cloud Scheduler. */
function functionRoutes({ project, archives }: CloudState, collection: Collection): Route[] {
  const LOCATION = 'cloudfunctions.googleapis.com/v2/projects/*/locations/*';
  const REPOSITORIES = 'artifactregistry.googleapis.com/v1/projects/*/locations/*/repositories';
  const BUCKET = 'gcf-v2-uploads';

  const stored = (sent: object, name: string) => {
    const location = name.split('/').slice(0, 4).join('/');
    // Cloud Run only allows lower-case names.
    const service = basename(name).toLowerCase().replaceAll('_', '-');
    const serviceConfig = {
      ...(sent as CloudFunction).serviceConfig,
      service: `${location}/services/${service}`,
      uri: `https://${service}-${project.number}.${basename(location)}.run.app`,
    };
    return { ...sent, environment: 'GEN_2', state: 'ACTIVE', serviceConfig };
  };
  return [
    // The project has no functions of the first generation, and no extensions.
    route('GET firebaseextensions.googleapis.com/v1beta/projects/*/instances', () => ({})),
    route('GET cloudfunctions.googleapis.com/v1/projects/*/locations/-/functions', () => ({})),
    route(`POST ${LOCATION}/functions:generateUploadUrl`, () => {
      const object = `source-${archives.size + 1}.zip`;
      return {
        uploadUrl: `https://storage.googleapis.com/${BUCKET}/${object}`,
        storageSource: { bucket: BUCKET, object, generation: '1' },
      };
    }),
    route(`PUT storage.googleapis.com/${BUCKET}/*`, ({ name, body }) => {
      archives.set(name, body);
      return {};
    }),
    ...collection('cloudfunctions.googleapis.com/v2/projects/*/locations'),
    ...collection(`${LOCATION}/functions`, { stored, isSlow: true }),
    ...collection(`${LOCATION}/operations`),
    ...collection(REPOSITORIES, { initial: { format: 'DOCKER' } }),
    ...collection('cloudscheduler.googleapis.com/v1/projects/*/locations/*/jobs'),
  ];
}

/** The admin APIs of Firestore and of security rules. It does not compile the rules. */
function firestoreRoutes(collection: Collection): Route[] {
  const DATABASES = 'firestore.googleapis.com/v1/projects/*/databases';
  const GROUP = `${DATABASES}/*/collectionGroups/*`;
  const RULES = 'firebaserules.googleapis.com/v1/projects/*';
  return [
    ...collection(DATABASES, {
      stored: (sent) => ({ ...sent, databaseEdition: 'STANDARD' }),
      isSlow: true,
    }),
    ...collection(`${DATABASES}/*/operations`),
    ...collection(`${GROUP}/indexes`, {
      stored: (sent) => ({ ...sent, fields: withName((sent as StoredIndex).fields) }),
      isSlow: true,
    }),
    ...collection(`${GROUP}/fields`, {
      initial: {},
      // Without settings a field has the database's own.
      stored: (sent) => (Object.keys(sent).length === 0 ? undefined : sent),
      isSlow: true,
    }),
    route(`POST ${RULES}:test`, () => ({})),
    ...collection(`${RULES}/rulesets`),
    ...collection(`${RULES}/releases`, {
      stored: (sent) => ('release' in sent ? (sent.release as object) : sent),
    }),
  ];
}

/** Like Firestore, adds the document id to the end of an index, in the order of the field before it. */
function withName(fields: StoredIndex['fields']): StoredIndex['fields'] {
  const last = fields.at(-1);
  if (last === undefined || last.fieldPath === '__name__') return fields;
  return [...fields, { fieldPath: '__name__', order: last.order ?? 'ASCENDING' }];
}

/** Firebase Hosting: sites, versions, releases, and files, which are stored once per hash. */
function hostingRoutes({ resources, contents }: CloudState, collection: Collection): Route[] {
  const API = 'firebasehosting.googleapis.com/v1beta1';
  const SITE = `${API}/projects/*/sites/*`;
  const UPLOAD = 'upload-firebasehosting.googleapis.com/upload';
  const version = (name: string) => resources.get(name) as Resource & HostingVersion;
  const lackingOf = ({ files }: HostingVersion) =>
    Object.values(files).filter((hash) => !contents.has(hash));
  return [
    ...collection(`${API}/projects/*/sites`),
    ...collection(`${SITE}/versions`, {
      stored: (sent, name) => {
        if (!resources.has(name)) return { files: {}, config: {}, status: 'CREATED' };
        if (lackingOf(version(name)).length === 0) return sent;
        throw new Failure(400, 'FAILED_PRECONDITION', 'Files are missing.');
      },
    }),
    route(`POST ${API}/sites/*/versions/*:populateFiles`, (call) => {
      const { files } = jsonOf(call) as Pick<HostingVersion, 'files'>;
      const { name } = resources.put(call.name, {
        files: { ...version(call.name).files, ...files },
      });
      return {
        uploadRequiredHashes: lackingOf(version(name)),
        uploadUrl: `https://${UPLOAD}/${name}/files`,
      };
    }),
    route(`POST ${UPLOAD}/sites/*/versions/*/files/*`, ({ name, body }) => {
      const hash = createHash('sha256').update(body).digest('hex');
      if (basename(name) !== hash) throw new Failure(400, 'INVALID_ARGUMENT', 'Another hash.');
      contents.set(hash, gunzipSync(body));
      return {};
    }),
    route(`POST ${SITE}/channels/live/releases`, ({ name, query }) => {
      const number = resources.list(`${name}/-`).length + 1;
      return resources.put(`${name}/${number}`, {
        version: version(query.get('versionName') ?? ''),
        releaseTime: '2026-11-21T12:00:00Z',
      });
    }),
    route(`GET ${API}/sites/*/channels/live/releases`, ({ name }) => ({
      releases: resources.list(`${name}/-`).toReversed(),
    })),
  ];
}

/** The version of a site that is live; undefined if nothing was released. */
export function liveVersion(resources: Resources, site: string): HostingVersion | undefined {
  const releases = resources.list(`sites/${site}/channels/live/releases/-`);
  return (releases.at(-1) as { readonly version: HostingVersion } | undefined)?.version;
}
