import { basename } from 'node:path';
import { failure, jsonOf, route, type Call, type Reply, type Route } from './route.ts';
import type { CloudProject } from './projectApi.ts';

/** A function as stored by Cloud Functions. */
export interface CloudFunction {
  /** `projects/P/locations/us-central1/functions/flash-listByArtist` */
  readonly name: string;
  readonly state: string;
  readonly updateTime: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly buildConfig: {
    readonly runtime: string;
    readonly entryPoint: string;
    readonly environmentVariables: Readonly<Record<string, string>>;
    readonly source: { readonly storageSource: { readonly object: string } };
  };
  readonly serviceConfig: {
    /** The Cloud Run service: `projects/P/locations/us-central1/services/flash-listbyartist` */
    readonly service: string;
    readonly uri: string;
    readonly availableMemory: string;
    readonly availableCpu: string;
    readonly timeoutSeconds: number;
    readonly minInstanceCount?: number;
    readonly maxInstanceCount: number;
    readonly maxInstanceRequestConcurrency: number;
    readonly environmentVariables: Readonly<Record<string, string>>;
  };
  readonly eventTrigger?: { readonly eventType: string };
}

/** The deployed state of functions. */
export interface FunctionsApi {
  readonly routes: readonly Route[];
  /** The functions by name. */
  readonly functions: ReadonlyMap<string, CloudFunction>;
  /** The uploaded archives by name of the object. */
  readonly uploads: ReadonlyMap<string, Buffer>;
  /** The callers of each Cloud Run service by its name. */
  readonly invokers: ReadonlyMap<string, readonly string[]>;
  /** The jobs of scheduled functions by name. */
  readonly jobs: ReadonlyMap<string, { readonly schedule: string }>;
  /** The number of created, changed or deleted functions. */
  readonly changes: () => number;
}

interface Policy {
  readonly bindings?: readonly { readonly role: string; readonly members: readonly string[] }[];
}

const FUNCTIONS = 'cloudfunctions.googleapis.com/v2/projects/{project}/locations/{location}';
const RUN = 'run.googleapis.com/v1/projects/{project}/locations/{location}/services/{service}';
const REPOSITORIES =
  'artifactregistry.googleapis.com/v1/projects/{project}/locations/{location}/repositories';
const JOBS = 'cloudscheduler.googleapis.com/v1/projects/{project}/locations/{location}/jobs';
const BUCKET = 'gcf-v2-uploads';

/**
 * Cloud Functions (2nd generation) with source uploads, its Cloud Run services, and Artifact Registry, which stores the
 * builds. Every operation is done when its status is requested.
 */
export function functionsApi({ id, number }: CloudProject): FunctionsApi {
  const functions = new Map<string, CloudFunction>();
  const uploads = new Map<string, Buffer>();
  const policies = new Map<string, Policy>();
  const repositories = new Map<string, object>();
  const jobs = new Map<string, { schedule: string }>();
  let operations = 0;
  const results = new Map<string, object>();

  /** Responds to a change with an operation; its result is available under its name. */
  function operation({ names }: Call, result: object): Reply {
    operations += 1;
    const name = `projects/${id}/locations/${names.location ?? ''}/operations/operation-${operations}`;
    results.set(name, result);
    return { body: { name, done: false } };
  }

  const nameOf = ({ names }: Call) =>
    `projects/${id}/locations/${names.location ?? ''}/functions/${names.function ?? ''}`;

  function store(name: string, wanted: CloudFunction): CloudFunction {
    const [, , , location = '', , functionId = ''] = name.split('/');
    // Cloud Run only allows lower-case names.
    const service = functionId.toLowerCase().replaceAll('_', '-');
    const stored = {
      ...wanted,
      name,
      environment: 'GEN_2',
      state: 'ACTIVE',
      updateTime: new Date().toISOString(),
      serviceConfig: {
        ...wanted.serviceConfig,
        service: `projects/${id}/locations/${location}/services/${service}`,
        uri: `https://${service}-${number}.${location}.run.app`,
      },
    };
    functions.set(name, stored);
    return stored;
  }

  const routes = [
    // The project has no functions of the first generation, and no extensions.
    route('GET firebaseextensions.googleapis.com/v1beta/projects/{project}/instances', () => ({
      body: {},
    })),
    route('GET cloudfunctions.googleapis.com/v1/projects/{project}/locations/-/functions', () => ({
      body: {},
    })),
    route(`GET ${FUNCTIONS}/functions`, () => ({ body: { functions: [...functions.values()] } })),
    route(`GET ${FUNCTIONS}/functions/{function}`, (call) => {
      const found = functions.get(nameOf(call));
      return found === undefined
        ? failure(404, 'NOT_FOUND', 'The function does not exist.')
        : { body: found };
    }),
    route(`POST ${FUNCTIONS}/functions:generateUploadUrl`, () => {
      const object = `source-${uploads.size + 1}.zip`;
      return {
        body: {
          uploadUrl: `https://storage.googleapis.com/${BUCKET}/${object}`,
          storageSource: { bucket: BUCKET, object, generation: '1' },
        },
      };
    }),
    route(`PUT storage.googleapis.com/${BUCKET}/{object}`, ({ names, body }) => {
      uploads.set(names.object ?? '', body);
      return {};
    }),
    route(`POST ${FUNCTIONS}/functions`, (call) => {
      const name = `projects/${id}/locations/${call.names.location ?? ''}/functions/${call.query.get('functionId') ?? ''}`;
      if (functions.has(name)) return failure(409, 'ALREADY_EXISTS', 'The function exists.');
      return operation(call, store(name, jsonOf(call) as CloudFunction));
    }),
    route(`PATCH ${FUNCTIONS}/functions/{function}`, (call) => {
      const name = nameOf(call);
      if (!functions.has(name)) return failure(404, 'NOT_FOUND', 'The function does not exist.');
      return operation(call, store(name, jsonOf(call) as CloudFunction));
    }),
    route(`DELETE ${FUNCTIONS}/functions/{function}`, (call) => {
      functions.delete(nameOf(call));
      return operation(call, {});
    }),
    route(`GET ${FUNCTIONS}/operations/{operation}`, ({ names }) => {
      const name = `projects/${id}/locations/${names.location ?? ''}/operations/${names.operation ?? ''}`;
      return { body: { name, done: true, response: results.get(name) } };
    }),

    route(`GET ${RUN}:getIamPolicy`, ({ names }) => ({
      body: policies.get(`${names.location ?? ''}/${names.service ?? ''}`) ?? {},
    })),
    route(`POST ${RUN}:setIamPolicy`, (call) => {
      const { location = '', service = '' } = call.names;
      const { policy } = jsonOf(call) as { policy: Policy };
      policies.set(`${location}/${service}`, policy);
      return { body: policy };
    }),

    route('GET compute.googleapis.com/compute/v1/projects/{project}', () => ({
      body: { defaultServiceAccount: `${number}-compute@developer.gserviceaccount.com` },
    })),
    route(`GET ${JOBS}/{job}`, ({ names }) => {
      const job = jobs.get(names.job ?? '');
      return job ? { body: job } : failure(404, 'NOT_FOUND', 'The job does not exist.');
    }),
    route(`POST ${JOBS}`, (call) => {
      const job = jsonOf(call) as { name: string; schedule: string };
      jobs.set(basename(job.name), job);
      return { body: job };
    }),

    route(`GET ${REPOSITORIES}/{repository}`, ({ names }) => {
      const name = `projects/${id}/locations/${names.location ?? ''}/repositories/${names.repository ?? ''}`;
      return { body: repositories.get(name) ?? { name, format: 'DOCKER' } };
    }),
    route(`PATCH ${REPOSITORIES}/{repository}`, (call) => {
      const { location = '', repository = '' } = call.names;
      const name = `projects/${id}/locations/${location}/repositories/${repository}`;
      const stored = { ...(jsonOf(call) as object), name };
      repositories.set(name, stored);
      return { body: stored };
    }),
  ];
  return {
    routes,
    functions,
    uploads,
    jobs,
    get invokers() {
      return new Map(
        [...policies].map(([service, { bindings = [] }]) => [
          service,
          bindings.flatMap(({ role, members }) => (role === 'roles/run.invoker' ? members : [])),
        ]),
      );
    },
    changes: () => operations,
  };
}
