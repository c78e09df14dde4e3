import { failure, jsonOf, route, type Route } from './route.ts';

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

const PROJECT = 'cloudresourcemanager.googleapis.com/v1/projects/{project}';

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
  let policy: object = { version: 1, etag: 'BwX', bindings: [] };

  const fixed = (address: string, body: object) => route(address, () => ({ body }));
  const allPermissions = (resource: string) =>
    route(`POST ${resource}:testIamPermissions`, (call) => ({
      body: { permissions: (jsonOf(call) as { permissions: string[] }).permissions },
    }));

  const routes = [
    // The firebase CLI asks the first, the credentials of gcloud the second.
    fixed('POST www.googleapis.com/oauth2/v3/token', token('cli-token')),
    fixed('POST oauth2.googleapis.com/token', token(USER_TOKEN)),

    fixed(`GET ${PROJECT}`, { ...project, lifecycleState: 'ACTIVE' }),
    allPermissions(PROJECT),
    allPermissions('iam.googleapis.com/v1/projects/{project}/serviceAccounts/{account}'),
    route(`POST ${PROJECT}:getIamPolicy`, () => ({ body: policy })),
    route(`GET ${PROJECT}:getIamPolicy`, () => ({ body: policy })),
    route(`POST ${PROJECT}:setIamPolicy`, (call) => {
      ({ policy } = jsonOf(call) as { policy: object });
      return { body: policy };
    }),

    route(
      'GET serviceusage.googleapis.com/v1/projects/{project}/services/{service}',
      ({ names }) => ({
        body: { state: enabled.has(names.service ?? '') ? 'ENABLED' : 'DISABLED' },
      }),
    ),
    route(
      'POST serviceusage.googleapis.com/v1/projects/{project}/services/{service}:enable',
      ({ names }) => {
        enabled.add(names.service ?? '');
        return { body: { name: 'operations/enabled', done: true } };
      },
    ),
    fixed(
      'POST serviceusage.googleapis.com/v1beta1/projects/{project}/services/{service}:generateServiceIdentity',
      { name: 'operations/identity', done: true },
    ),
    fixed('GET cloudbilling.googleapis.com/v1/projects/{project}/billingInfo', {
      billingEnabled: true,
    }),

    route('GET firebase.googleapis.com/v1beta1/projects/{project}', ({ names }) =>
      names.project === id
        ? { body: { ...project, resources: { hostingSite: id } } }
        : failure(404, 'NOT_FOUND', 'There is no such project.'),
    ),
    fixed('GET firebase.googleapis.com/v1beta1/projects/{project}/adminSdkConfig', {
      projectId: id,
      storageBucket: `${id}.firebasestorage.app`,
    }),
  ];
  return { routes, enabled };
}
