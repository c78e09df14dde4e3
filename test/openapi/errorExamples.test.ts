import { deployedEndpoints } from '../support/deployMap.ts';
import {
  exampleRequest,
  storeExampleWorld,
  type ExampleRequest,
} from '../support/exampleRequests.ts';
import { inProcessService } from '../support/inProcessService.ts';
import { openApiDocument } from './document.ts';

/** The statuses that a request can cause. The other errors have one example, which their own tests check. */
const CAUSED = ['400', '401', '403', '404', '405', '413', '415'];

const WORLD = { uid: 'alice', prefix: 'thing' };
const service = inProcessService();
const document = openApiDocument() as {
  readonly paths: Record<string, Record<string, { readonly responses: Responses }>>;
};

type Responses = Readonly<
  Record<string, { readonly content?: { 'application/json': { example: { message: string } } } }>
>;

beforeAll(() => storeExampleWorld(service.store, WORLD));

test.each(deployedEndpoints.map(({ functionId, endpoint }) => [functionId, endpoint] as const))(
  '%s sends the error examples of the OpenAPI document',
  async (functionId, { declaration }) => {
    const { method, path: template, access, params, body, query, errors } = declaration;
    const requestOf = (uid: string, prefix = WORLD.prefix) =>
      exampleRequest(functionId, { uid, prefix }, service.tokenOf(uid));
    const own = requestOf(WORLD.uid);
    const path = own.path.replace(/\?.*/, '');
    const headers = { ...own.headers, 'Content-Type': 'application/json' };
    const isOwned = errors['permission-denied'] !== undefined;
    const isSignedIn = access === 'signedIn';
    const limit = query && 'limit' in query.shape ? 'limit=0' : '';

    const causes: Readonly<Record<string, Partial<ExampleRequest> | undefined | false>> = {
      400: body ? { body: '{}' } : query && { path: `${path}?${limit}` },
      401: isSignedIn && { headers: { ...headers, Authorization: 'Bearer expired' } },
      403: isOwned && requestOf('bob'),
      404: params
        ? { path: path.replace(/(?<=artist\/)[^/]+/, '') }
        : isSignedIn && requestOf('nobody', 'missing'),
      405: { method: 'PATCH' },
      413: body && { headers, body: ' '.repeat(2 ** 20 + 1) },
      415: body && { headers: { ...headers, 'Content-Type': 'text/plain' } },
    };
    const seen: Record<string, string> = {};
    for (const [status, changes] of Object.entries(causes)) {
      if (!changes) continue;
      const { path: at, ...options } = { ...own, ...changes };
      const response = await service.send(functionId, at, options);
      expect(response.status).toBe(Number(status));
      seen[status] = (JSON.parse(response.text) as { message: string }).message;
    }

    const responses = document.paths[template]?.[method.toLowerCase()]?.responses ?? {};
    const documented = Object.entries(responses).flatMap(([status, { content }]) => {
      const { message = '' } = content?.['application/json'].example ?? {};
      // App Check is not enforced here.
      return CAUSED.includes(status) && !message.includes('App Check') ? [[status, message]] : [];
    });
    expect(seen).toEqual(Object.fromEntries(documented));
  },
);
