/** Fakes of the Google APIs that a deploy calls, for one project. All callers have all permissions. */
import { basename } from 'node:path/posix';
import { toCloudRunServiceName } from '@tattoo-marketplace/endpoints';
import type { CloudFunction, HostingVersion } from '../../../../tools/checks/resources.ts';
import type { Resource, Resources } from './resources.ts';

/** The state that the APIs of a project share. */
export interface CloudState {
  readonly project: { readonly id: string; readonly number: string };
  readonly resources: Resources;
  /** The uploaded archives of functions. */
  readonly uploadedSources: Buffer[];
  /** The requests that the fake APIs do not support. */
  readonly unhandledRequests: string[];
}

/** A request to a Google API. */
interface ApiRequest {
  /** `GET firestore.googleapis.com/v1/projects/P/databases` */
  readonly request: string;
  /** The resource or collection: `projects/P/databases`. */
  readonly name: string;
  readonly query: URLSearchParams;
  readonly body: Buffer;
}

/** Returns the response; undefined if the resource does not exist. */
type ApiMethod = (call: ApiRequest) => object | undefined;

/** Calls the API at an address such as `firestore.googleapis.com/v1/projects/P/databases`. */
type CallApi = (method: string, address: string, body?: Buffer) => object | undefined;

/** Creates the APIs of a project. */
export function createFakeApis(state: CloudState): CallApi {
  const customMethods = listCustomMethods(state);
  return (method, address, body = Buffer.of()) => {
    const { host, pathname, searchParams: query } = new URL(`https://${address}`);
    const path = decodeURIComponent(pathname);
    const name = parseResourceName(path, state.project);
    const call = { request: `${method} ${host}${path}`, name, query, body };
    const [, customMethod] = customMethods.find(([pattern]) => pattern.test(call.request)) ?? [];
    return customMethod ? customMethod(call) : callStandard(state, call);
  };
}

/** Creates the resources that a project has before the first deploy. */
export function createProject({ project: { id, number }, resources }: CloudState, region: string) {
  resources.put(`projects/${id}`, {
    projectId: id,
    projectNumber: number,
    lifecycleState: 'ACTIVE',
    resources: { hostingSite: id },
    defaultServiceAccount: `${number}-compute@developer.gserviceaccount.com`,
  });
  resources.put(`projects/${id}/adminSdkConfig`, { projectId: id });
  resources.put(`projects/${id}/billingInfo`, { billingEnabled: true });
  resources.put(`projects/${id}/locations/${region}/repositories/gcf-artifacts`, {
    format: 'DOCKER',
  });
  resources.put(`projects/${id}/databases/(default)`, {
    locationId: region,
    type: 'FIRESTORE_NATIVE',
    databaseEdition: 'STANDARD',
  });
  resources.put(`sites/${id}`, {});
}

/**
 * Converts a path to the name of a resource: it removes the version of the API and the custom method. A path may contain the
 * number of the project instead of its id. Paths of Hosting may contain the project or not.
 */
function parseResourceName(path: string, { id, number }: CloudState['project']): string {
  return path
    .replace(/^\/(compute\/)?(v\d\w*\/)?/, '')
    .replace(/:\w+$/, '')
    .replace(`projects/${number}`, `projects/${id}`)
    .replace(`projects/${id}/sites`, 'sites');
}

/** Calls a standard method (https://google.aip.dev/130). All resources have them. */
function callStandard(
  { resources, unhandledRequests }: CloudState,
  call: ApiRequest,
): object | undefined {
  const { request, name, query } = call;
  // The segments of a name alternate between collections and ids.
  const isCollection = name.split('/').length % 2 === 1;
  const [method = ''] = request.split(' ');
  switch (`${method} ${isCollection ? 'collection' : 'resource'}`) {
    case 'GET resource':
      return resources.get(name);
    case 'GET collection':
      // Or a singleton resource, such as adminSdkConfig.
      return resources.get(name) ?? { [basename(name)]: resources.list(`${name}/-`) };
    case 'POST collection': {
      if (query.has('validateOnly')) return {};
      const fields = parseCallBody(call) as Partial<Resource>;
      // Each API has another name for the parameter: functionId, siteId.
      const [, id = `${basename(name)}-${resources.list(`${name}/-`).length + 1}`] =
        [...query].find(([parameter]) => parameter.endsWith('Id')) ?? [];
      return resources.put(fields.name ?? `${name}/${id}`, fields);
    }
    case 'PATCH resource':
      return resources.put(name, parseCallBody(call));
    case 'DELETE resource':
      return resources.delete(name);
    default:
      unhandledRequests.push(request);
      return undefined;
  }
}

/** Lists all other methods: custom methods (https://google.aip.dev/136), uploads, and resources with special behavior. */
function listCustomMethods(state: CloudState): readonly (readonly [RegExp, ApiMethod])[] {
  const { resources, uploadedSources } = state;
  const done = { name: 'operations/done', done: true };
  return [
    [
      /^POST www\.googleapis\.com\/.*\/token$/,
      () => ({ access_token: 'cli-token', expires_in: 3600, token_type: 'Bearer' }),
    ],
    [/:testIamPermissions$/, parseCallBody],
    [/:[gs]etIamPolicy$/, () => ({ bindings: [] })],
    [/:generateServiceIdentity$/, () => done],

    [
      /^GET serviceusage\.googleapis\.com\/.*\/services\//,
      ({ name }) => resources.get(name) ?? { state: 'DISABLED' },
    ],
    [
      /\/services\/[^/]+:enable$/,
      ({ name }) => ({ ...done, response: resources.put(name, { state: 'ENABLED' }) }),
    ],

    // The project has no functions of the first generation.
    [/^GET cloudfunctions\.googleapis\.com\/v1\//, () => ({})],
    [
      /\/functions:generateUploadUrl$/,
      () => ({
        uploadUrl: 'https://storage.googleapis.com/uploads/source.zip',
        storageSource: { bucket: 'uploads', object: 'source.zip', generation: '1' },
      }),
    ],
    [/^PUT storage\.googleapis\.com\//, ({ body }) => ({ size: uploadedSources.push(body) })],
    [
      /^(POST|PATCH) cloudfunctions\./,
      (call) => deployFunction(state, parseCallBody(call) as CloudFunction),
    ],

    [
      /^DELETE cloudfunctions\./,
      ({ name }) => {
        resources.delete(toServiceName(name));
        return resources.put(
          `${toLocationName(name)}/operations/deleted`,
          resources.delete(name) ?? {},
        );
      },
    ],
    [
      /^PATCH run\.googleapis\.com\//,
      (call) => ({ ...done, response: resources.put(call.name, parseCallBody(call)) }),
    ],

    [
      /^POST firestore\.googleapis\.com\/.*\/indexes$/,
      (call) => {
        const { fields, ...index } = parseCallBody(call) as {
          fields: { fieldPath: string; order: string }[];
        };
        // Like Firestore, adds the document id in the order of the field before it.
        const documentId = { fieldPath: '__name__', order: fields.at(-1)?.order ?? 'ASCENDING' };
        const name = `${call.name}/${fields.map(({ fieldPath }) => fieldPath).join()}`;
        return resources.put(name, { ...index, fields: [...fields, documentId] });
      },
    ],

    // The release of a named database has one more segment.
    [/^GET firebaserules\.googleapis\.com\/.*\/releases\/./, ({ name }) => resources.get(name)],
    // The rules are not compiled.
    [/^POST firebaserules\.googleapis\.com\/.*:test$/, () => ({})],
    [
      /^PATCH firebaserules\.googleapis\.com\/.*\/releases\//,
      (call) => resources.put(call.name, (parseCallBody(call) as { release: object }).release),
    ],

    [
      /\/versions\/[^/]+:populateFiles$/,
      (call) => {
        resources.put(call.name, parseCallBody(call));
        // No file needs an upload.
        return {
          uploadRequiredHashes: [],
          uploadUrl: 'https://upload-firebasehosting.googleapis.com',
        };
      },
    ],
    [
      /^POST firebasehosting\.googleapis\.com\/.*\/channels\/live\/releases$/,
      ({ name, query }) => {
        const version = resources.get(query.get('versionName') ?? '');
        return resources.put(`${name}/${new Date().toISOString()}`, { version });
      },
    ],
  ];
}

/** Returns the location of a resource: `projects/P/locations/us-central1`. */
function toLocationName(name: string): string {
  return name.split('/').slice(0, 4).join('/');
}

/** Returns the name of a function's Cloud Run service: `projects/P/locations/us-central1/services/flash-reorder`. */
function toServiceName(functionName: string): string {
  return `${toLocationName(functionName)}/services/${toCloudRunServiceName(basename(functionName))}`;
}

/** Deploys a function, as a new revision that gets all traffic. Returns an operation: the caller requests its result later. */
function deployFunction(
  { project, resources }: CloudState,
  { name, ...definition }: CloudFunction,
): object {
  const location = toLocationName(name);
  const service = toCloudRunServiceName(basename(name));
  const serviceName = toServiceName(name);
  const revision = resources.list(`${serviceName}/revisions/-`).length + 1;
  resources.put(serviceName, { traffic: [{ type: 'TRAFFIC_TARGET_ALLOCATION_TYPE_LATEST' }] });
  resources.put(`${serviceName}/revisions/${service}-${revision}`, {
    createTime: new Date().toISOString(),
  });
  const response = resources.put(name, {
    ...definition,
    environment: 'GEN_2',
    state: 'ACTIVE',
    serviceConfig: {
      ...definition.serviceConfig,
      service: serviceName,
      uri: `https://${service}-${project.number}.${basename(location)}.run.app`,
    },
  });
  return resources.put(`${location}/operations/${service}`, { done: true, response });
}

/** Parses the JSON body of a request. Without a body, it is an empty object. */
function parseCallBody({ body }: ApiRequest): object {
  return JSON.parse(body.toString('utf8') || '{}') as object;
}

/** Returns the live version of a site; undefined before the first release. */
export function getLiveVersion(
  { resources }: CloudState,
  site: string,
): HostingVersion | undefined {
  const [release] = resources.list(`sites/${site}/channels/live/releases/-`);
  return (release as { readonly version: HostingVersion } | undefined)?.version;
}
