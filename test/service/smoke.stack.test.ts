/** What only the whole stack shows: each endpoint once through Hosting and at its own address, with real accounts. */
import { createMarketplaceClient, firebaseToken } from '@tattoo-marketplace/client';
import { readFileSync } from 'node:fs';
import { unsignedToken } from '../../dev/google/idTokens.ts';
import { administer, signedIn } from '../support/accounts.ts';
import { deployedEndpoints } from '../../functions/declared/deployMap.ts';
import { exampleParts, exampleRequest, storeExampleWorld } from '../../demo/exampleRequests.ts';
import { freshId, stackStore } from '../support/firestore.ts';
import { serviceRequest } from '../support/documented.ts';
import { testStack } from '../support/testStack.ts';

const store = stackStore();
const { baseAddress, functionsAddress, projectId } = testStack();

/** An operation of the client: it takes the path and query parameters and the fields of the body in one object. */
type Operation = (input: object) => Promise<unknown>;

test.each(deployedEndpoints.map((deployed) => [deployed.functionId, deployed] as const))(
  '%s works with the client through Hosting, and at each of its addresses',
  async (functionId, { group, name, endpoint: { declaration } }) => {
    const { uid, token } = await signedIn();
    const freshWorld = async () => {
      const world = { uid, prefix: freshId('smoke') };
      await storeExampleWorld(store, world);
      return world;
    };
    const auth = { currentUser: { getIdToken: () => Promise.resolve(token) } };
    const client = createMarketplaceClient({ baseUrl: baseAddress, token: firebaseToken(auth) });
    const groups = client as unknown as Record<string, Record<string, Operation>>;
    const { params, query, body } = exampleParts(functionId, await freshWorld());

    const response = await groups[group]?.[name]?.({ ...params, ...query, ...body });
    expect(declaration.response.parse(response)).toEqual(response);

    const own = `${functionsAddress}/${functionId}`;
    for (const address of [baseAddress, own, `${own}/api`]) {
      const request = exampleRequest(functionId, await freshWorld(), token);
      const { status } = await serviceRequest(address, request);
      expect([functionId, address, status]).toEqual([functionId, address, 200]);
    }
  },
);

test.each([
  ['deleted', (localId: string) => administer('delete', { localId })],
  ['disabled', (localId: string) => administer('update', { localId, disableUser: true })],
  [
    'signed out everywhere',
    (localId: string) => administer('update', { localId, validSince: String(2 ** 32) }),
  ],
])('every endpoint for signed-in users refuses an account that was %s', async (_what, end) => {
  const { uid, token } = await signedIn();
  await end(uid);

  for (const { functionId, endpoint } of deployedEndpoints) {
    const request = exampleRequest(functionId, { uid, prefix: 'none' }, token);
    const { status } = await serviceRequest(baseAddress, request);

    const isRefused = endpoint.declaration.access === 'signedIn';
    expect([functionId, status === 401]).toEqual([functionId, isRefused]);
  }
});

test.each(['', '/nothing', '/artists/', '/flash/artist/a', '/%00', '/index.html'])(
  'Hosting leaves the unknown path /api%s to a function, for any method',
  async (path) => {
    for (const request of [{ method: 'GET' }, { method: 'PUT', body: '{bad' }]) {
      const { status, text } = await serviceRequest(baseAddress, { path, ...request });

      // A rewrite that was added since the start is unknown, too.
      const message = 'There is no endpoint at this path. If it is new, run npm start again.';
      expect([status, text]).toEqual([404, JSON.stringify({ message })]);
    }
  },
);

test.each([
  ['firebase-auth.js', ['Copyright 2020 Google LLC', 'Copyright (c) 2016, Jake Archibald']],
  ['api-reference.js', ['Copyright (c) 2023-present Scalar']],
])('Hosting serves %s with the notices of its licences', async (file, notices) => {
  const response = await fetch(new URL(`/vendor/${file}`, baseAddress));

  const text = await response.text();
  expect(notices.filter((notice) => !text.includes(notice))).toEqual([]);
});

test('every request of docs/requests.http gets 200, on the demo data', async () => {
  // The test stack has other ports, and another project in its tokens.
  const file = readFileSync('docs/requests.http', 'utf8');
  const [, token = ''] = /^@token = (.*)$/m.exec(file) ?? [];
  const claims = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
  const ours = unsignedToken(JSON.parse(claims.replaceAll('demo-tattoo', projectId)) as object);
  const [, ...requests] = file
    .replaceAll('{{api}}', baseAddress)
    .replaceAll('{{token}}', ours)
    .replace(/^# .*\n/gm, '')
    .split(/^### /m);
  const statuses: [string, number][] = [];
  for (const request of requests) {
    const [head = '', body] = request.trim().split('\n\n');
    const [summary = '', line = '', ...headers] = head.split('\n');
    const [method = '', url = ''] = line.split(' ');
    const pairs = headers.map((header) => header.split(': ') as [string, string]);
    const { status } = await fetch(url, { method, headers: pairs, ...(body && { body }) });
    statuses.push([summary, status]);
  }

  expect(statuses.sort()).toEqual(
    deployedEndpoints.map(({ endpoint }) => [endpoint.declaration.summary, 200]).sort(),
  );
});
