import { basename } from 'node:path';
import type { CloudFunction } from '../resources.ts';
import type { CloudProject } from './projectApi.ts';
import { Failure, found, jsonOf, route, type Route } from './route.ts';

/** The deployed state of functions. */
export interface FunctionsApi {
  readonly routes: readonly Route[];
  /** The functions by name. */
  readonly functions: ReadonlyMap<string, CloudFunction>;
  /** The uploaded archives by name of the object. */
  readonly uploads: ReadonlyMap<string, Buffer>;
  /** The callers of a Cloud Run service by its name. */
  readonly invokers: (service: string) => readonly string[];
  /** The jobs of scheduled functions by name. */
  readonly jobs: ReadonlyMap<string, { readonly schedule: string }>;
  /** The number of created, changed or deleted functions. */
  changes(): number;
}

interface Policy {
  readonly bindings?: readonly { readonly role: string; readonly members: readonly string[] }[];
}

const API = 'cloudfunctions.googleapis.com/v2/projects/*/locations/*';
const SERVICE = 'run.googleapis.com/v1/projects/*/locations/*/services/*';
const REPOSITORY = 'artifactregistry.googleapis.com/v1/projects/*/locations/*/repositories/*';
const JOBS = 'cloudscheduler.googleapis.com/v1/projects/*/locations/*/jobs';
const BUCKET = 'gcf-v2-uploads';

/**
 * Cloud Functions (2nd generation) with source uploads, its Cloud Run services, and Artifact Registry, which stores the
 * builds. Every operation is done when its status is requested.
 */
export function functionsApi({ number }: CloudProject): FunctionsApi {
  const functions = new Map<string, CloudFunction>();
  const uploads = new Map<string, Buffer>();
  const policies = new Map<string, Policy>();
  const repositories = new Map<string, object>();
  const jobs = new Map<string, { schedule: string }>();
  const results = new Map<string, object>();

  /** Responds to the change of a function with an operation; its result is available under its name. */
  function operation(name: string, result: object): object {
    const operationName = `${locationOf(name)}/operations/operation-${results.size + 1}`;
    results.set(operationName, result);
    return { name: operationName, done: false };
  }

  /** Stores a function, and responds with an operation. */
  function store(name: string, wanted: CloudFunction): object {
    const location = locationOf(name);
    // Cloud Run only allows lower-case names.
    const service = basename(name).toLowerCase().replaceAll('_', '-');
    const stored = {
      ...wanted,
      name,
      environment: 'GEN_2',
      state: 'ACTIVE',
      updateTime: new Date().toISOString(),
      serviceConfig: {
        ...wanted.serviceConfig,
        service: `${location}/services/${service}`,
        uri: `https://${service}-${number}.${basename(location)}.run.app`,
      },
    };
    functions.set(name, stored);
    return operation(name, stored);
  }

  const routes = [
    // The project has no functions of the first generation, and no extensions.
    route('GET firebaseextensions.googleapis.com/v1beta/projects/*/instances', () => ({})),
    route('GET cloudfunctions.googleapis.com/v1/projects/*/locations/-/functions', () => ({})),
    route(`GET ${API}/functions`, () => ({ functions: [...functions.values()] })),
    route(`GET ${API}/functions/*`, ({ name }) => found(functions, name)),
    route(`POST ${API}/functions:generateUploadUrl`, () => {
      const object = `source-${uploads.size + 1}.zip`;
      return {
        uploadUrl: `https://storage.googleapis.com/${BUCKET}/${object}`,
        storageSource: { bucket: BUCKET, object, generation: '1' },
      };
    }),
    route(`PUT storage.googleapis.com/${BUCKET}/*`, ({ name, body }) => {
      uploads.set(name, body);
      return {};
    }),
    route(`POST ${API}/functions`, (call) => {
      const name = `${call.name}/${call.query.get('functionId') ?? ''}`;
      if (functions.has(name)) throw new Failure(409, 'ALREADY_EXISTS', 'The function exists.');
      return store(name, jsonOf(call) as CloudFunction);
    }),
    route(`PATCH ${API}/functions/*`, (call) => {
      found(functions, call.name);
      return store(call.name, jsonOf(call) as CloudFunction);
    }),
    route(`DELETE ${API}/functions/*`, ({ name }) => {
      functions.delete(name);
      return operation(name, {});
    }),
    route(`GET ${API}/operations/*`, ({ name }) => ({
      name,
      done: true,
      response: results.get(name),
    })),

    route(`GET ${SERVICE}:getIamPolicy`, ({ name }) => policies.get(name) ?? {}),
    route(`POST ${SERVICE}:setIamPolicy`, (call) => {
      const { policy } = jsonOf(call) as { policy: Policy };
      policies.set(call.name, policy);
      return policy;
    }),

    route('GET compute.googleapis.com/compute/v1/projects/*', () => ({
      defaultServiceAccount: `${number}-compute@developer.gserviceaccount.com`,
    })),
    route(`GET ${JOBS}/*`, ({ name }) => found(jobs, name)),
    route(`POST ${JOBS}`, (call) => {
      const job = jsonOf(call) as { name: string; schedule: string };
      jobs.set(job.name, job);
      return job;
    }),

    route(`GET ${REPOSITORY}`, ({ name }) => repositories.get(name) ?? { name, format: 'DOCKER' }),
    route(`PATCH ${REPOSITORY}`, (call) => {
      repositories.set(call.name, { ...(jsonOf(call) as object), name: call.name });
      return found(repositories, call.name);
    }),
  ];
  return {
    routes,
    functions,
    uploads,
    jobs,
    invokers: (service) =>
      (policies.get(service)?.bindings ?? []).flatMap(({ role, members }) =>
        role === 'roles/run.invoker' ? members : [],
      ),
    changes: () => results.size,
  };
}

/** The location of a function: `projects/P/locations/us-central1`. */
function locationOf(name: string): string {
  return name.split('/').slice(0, 4).join('/');
}
