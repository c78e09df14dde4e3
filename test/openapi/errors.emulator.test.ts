/** Checks that the service sends each error example of public/openapi.json. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { signedIn } from '../support/accounts.ts';
import { deployedEndpoints, type DeployedEndpoint } from '../support/deployMap.ts';
import {
  exampleRequest,
  storeExampleWorld,
  type ExampleRequest,
} from '../support/exampleRequests.ts';
import { stackStore } from '../support/firestore.ts';
import { rawRequest } from '../support/rawRequest.ts';
import { testStack } from '../support/stack.ts';

type Responses = Readonly<
  Record<string, { readonly content?: { 'application/json': { example: { message: string } } } }>
>;

/**
 * The statuses that a request can cause. Other errors have one example for all endpoints, checked by their own tests.
 */
const PROVOKED = ['400', '401', '403', '404', '405', '413', '415'];

const store = stackStore();

/** The errors of an endpoint in the document. */
async function documented({ endpoint }: DeployedEndpoint): Promise<Record<string, string>> {
  const { method, path } = endpoint.declaration;
  const document = JSON.parse(await readFile('public/openapi.json', 'utf8')) as {
    paths: Record<string, Record<string, { responses: Responses }>>;
  };
  const responses = document.paths[path]?.[method.toLowerCase()]?.responses ?? {};
  return Object.fromEntries(
    PROVOKED.flatMap((status) => {
      const message = responses[status]?.content?.['application/json'].example.message;
      // App Check is not enforced on the local stack.
      return message === undefined || message.includes('App Check') ? [] : [[status, message]];
    }),
  );
}

/** The status and the message of the response to a request. */
async function refusal({ path, ...request }: ExampleRequest): Promise<[string, string]> {
  const { origin, pathname } = new URL(testStack().baseAddress);
  const { status, text } = await rawRequest(origin, pathname + path, request);
  return [String(status), (JSON.parse(text) as { message: string }).message];
}

test.each(deployedEndpoints.map((deployed) => [deployed.functionId, deployed] as const))(
  'the errors of %s',
  async (functionId, deployed) => {
    const { access, params, body, query } = deployed.endpoint.declaration;
    const [alice, bob] = [await signedIn(), await signedIn()];
    const world = { uid: alice.uid, prefix: randomUUID() };
    const example = (token: string) => exampleRequest(functionId, world, token);
    const missing = example(alice.token);
    const wrong = (changes: Partial<ExampleRequest>) => refusal({ ...missing, ...changes });
    const [path = ''] = missing.path.split('?');
    const headers = { ...missing.headers, 'Content-Type': 'application/json' };

    const refused = [await wrong({ method: 'PATCH' })];
    if (body) refused.push(await wrong({ body: '{}' }));
    else if (query)
      refused.push(await wrong({ path: `${path}?${'limit' in query.shape ? 'limit=0' : ''}` }));
    if (params) refused.push(await wrong({ path: path.replace(/(?<=artist\/)[^/]+/, '') }));
    if (body) {
      refused.push(await wrong({ headers, body: ' '.repeat(2 ** 20 + 1) }));
      refused.push(await wrong({ headers: { ...headers, 'Content-Type': 'text/plain' } }));
    }
    if (access === 'signedIn') {
      refused.push(await wrong({ headers: { ...headers, Authorization: 'Bearer expired' } }));
      refused.push(await refusal(missing));
      await storeExampleWorld(store, world);
      if (deployed.endpoint.declaration.errors['permission-denied'] !== undefined) {
        refused.push(await refusal(example(bob.token)));
      }
    }

    expect(Object.fromEntries(refused)).toEqual(await documented(deployed));
  },
);
