import { Failure, jsonOf, route, type Route } from './route.ts';

/** The project to deploy to. */
export interface CloudProject {
  readonly id: string;
  readonly number: string;
}

/** The enabled services of a project, and the APIs for the project itself. */
export interface ProjectApi {
  readonly routes: readonly Route[];
  /** The enabled services: `cloudfunctions.googleapis.com`. */
  readonly enabled: ReadonlySet<string>;
}

/** The access token of a user's Application Default Credentials: its calls need a quota project. */
export const USER_TOKEN = 'user-token';

const PROJECT = 'cloudresourcemanager.googleapis.com/v1/projects/*';
const SERVICES = 'serviceusage.googleapis.com';
const FIREBASE = 'firebase.googleapis.com/v1beta1/projects/*';

/**
 * OAuth, Resource Manager, Service Usage, Cloud Billing, IAM, and the Firebase Management API. All callers have all
 * permissions.
 */
export function projectApi({ id, number }: CloudProject, services: Iterable<string>): ProjectApi {
  const enabled = new Set(services);
  const project = { projectId: id, projectNumber: number, state: 'ACTIVE', displayName: id };
  const token = (access_token: string) => ({
    access_token,
    expires_in: 3600,
    token_type: 'Bearer',
  });
  const done = { name: 'operations/done', done: true };
  const serviceOf = (name: string) => name.split('/')[3] ?? '';
  let policy: object = { version: 1, etag: 'BwX', bindings: [] };

  const allPermissions = (resource: string) =>
    route(`POST ${resource}:testIamPermissions`, (call) => ({
      permissions: (jsonOf(call) as { permissions: string[] }).permissions,
    }));

  const routes = [
    // The firebase CLI asks the first, the credentials of gcloud the second.
    route('POST www.googleapis.com/oauth2/v3/token', () => token('cli-token')),
    route('POST oauth2.googleapis.com/token', () => token(USER_TOKEN)),

    route(`GET ${PROJECT}`, () => ({ ...project, lifecycleState: 'ACTIVE' })),
    allPermissions(PROJECT),
    allPermissions('iam.googleapis.com/v1/projects/*/serviceAccounts/*'),
    route(`POST ${PROJECT}:getIamPolicy`, () => policy),
    route(`GET ${PROJECT}:getIamPolicy`, () => policy),
    route(`POST ${PROJECT}:setIamPolicy`, (call) => {
      ({ policy } = jsonOf(call) as { policy: object });
      return policy;
    }),

    route(`GET ${SERVICES}/v1/projects/*/services/*`, ({ name }) => ({
      state: enabled.has(serviceOf(name)) ? 'ENABLED' : 'DISABLED',
    })),
    route(`POST ${SERVICES}/v1/projects/*/services/*:enable`, ({ name }) => {
      enabled.add(serviceOf(name));
      return done;
    }),
    route(`POST ${SERVICES}/v1beta1/projects/*/services/*:generateServiceIdentity`, () => done),
    route('GET cloudbilling.googleapis.com/v1/projects/*/billingInfo', () => ({
      billingEnabled: true,
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
  return { routes, enabled };
}
