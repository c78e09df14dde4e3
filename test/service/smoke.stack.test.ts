/** Smoke test of the entire stack: each endpoint once through Hosting and at its own address, with real accounts. */
import { createMarketplaceClient, firebaseToken } from '@tattoo-marketplace/client';
import { getExample } from '@tattoo-marketplace/endpoints';
import { EXAMPLE_CALLER } from '../../demo/documents.ts';
import { createIdTokenClaims, createUnsignedToken } from '../support/google/idTokens.ts';
import { adminUpdateAccount, createSignedInUser } from '../support/requests/accounts.ts';
import { endpoints } from '../../functions/service.ts';
import {
  createExampleParts,
  createExampleRequest,
  buildExampleRequest,
  storeFixture,
} from '../support/requests/exampleRequests.ts';
import { createUniqueId } from '../support/requests/uniqueId.ts';
import { sendServiceRequest } from '../support/requests/openapi.ts';
import { createStackClient } from '../support/processes/stackClient.ts';
import { getTestStack } from '../support/processes/testStack.ts';

const store = createStackClient();
const { baseAddress, functionsAddress, projectId } = getTestStack();

/** An operation of the client: it takes the path and query parameters and the fields of the body in one object. */
type Operation = (input: object) => Promise<unknown>;

test.each(endpoints)(
  '$functionId responds to the client through Hosting, and at each of its addresses',
  async ({ functionId, group, name, endpoint: { declaration } }) => {
    const { uid, token } = await createSignedInUser();
    const createFixture = async () => {
      const fixture = { uid, prefix: createUniqueId('smoke') };
      await storeFixture(store, fixture);
      return fixture;
    };
    const auth = { currentUser: { getIdToken: () => Promise.resolve(token) } };
    const client = createMarketplaceClient({ baseUrl: baseAddress, token: firebaseToken(auth) });
    const groups = client as unknown as Record<string, Record<string, Operation>>;
    const { params, query, body } = createExampleParts(functionId, await createFixture());

    const response = await groups[group]?.[name]?.({ ...params, ...query, ...body });
    expect(declaration.response.parse(response)).toEqual(response);

    const functionAddress = `${functionsAddress}/${functionId}`;
    for (const address of [baseAddress, functionAddress, `${functionAddress}/api`]) {
      const request = createExampleRequest(functionId, await createFixture(), token);
      const { status } = await sendServiceRequest(address, request);
      expect([functionId, address, status]).toEqual([functionId, address, 200]);
    }
  },
);

test.each([
  {
    name: 'was deleted',
    revoke: (localId: string) => adminUpdateAccount('delete', { localId }),
  },
  {
    name: 'was disabled',
    revoke: (localId: string) => adminUpdateAccount('update', { localId, disableUser: true }),
  },
  {
    name: 'was signed out on all devices',
    revoke: (localId: string) =>
      adminUpdateAccount('update', { localId, validSince: String(2 ** 32) }),
  },
])(
  'every endpoint for signed-in users rejects the token of an account that $name',
  async ({ revoke }) => {
    const { uid, token } = await createSignedInUser();
    await revoke(uid);

    for (const { functionId, endpoint } of endpoints) {
      const request = createExampleRequest(functionId, { uid, prefix: 'none' }, token);
      const { status } = await sendServiceRequest(baseAddress, request);

      const isRejected = endpoint.declaration.access === 'signedIn';
      expect([functionId, status === 401]).toEqual([functionId, isRejected]);
    }
  },
);

test.each(['', '/nothing', '/artists/', '/flash/artist/a', '/%00', '/index.html'])(
  'Hosting forwards requests of any method to the unknown path /api%s to a function, which returns 404',
  async (path) => {
    for (const request of [{ method: 'GET' }, { method: 'PUT', body: '{bad' }]) {
      const { status, text } = await sendServiceRequest(baseAddress, { path, ...request });

      // The path of an endpoint that was added after the start of the stack is unknown, too.
      const message = 'There is no endpoint at this path. If it is new, run npm run generate.';
      expect([status, text]).toEqual([404, JSON.stringify({ message })]);
    }
  },
);

test.each([
  {
    file: 'firebase-auth.js',
    notices: ['Copyright 2020 Google LLC', 'Copyright (c) 2016, Jake Archibald'],
  },
  { file: 'api-reference.js', notices: ['Copyright (c) 2023-present Scalar'] },
])('Hosting serves $file with the notices of its licenses', async ({ file, notices }) => {
  const response = await fetch(new URL(`/vendor/${file}`, baseAddress));

  const text = await response.text();
  expect(notices.filter((notice) => !text.includes(notice))).toEqual([]);
});

test.each(endpoints)(
  'the example request of $functionId works on the demo data',
  async (deployed) => {
    const { functionId } = deployed;
    const claims = createIdTokenClaims(projectId, EXAMPLE_CALLER);
    // A sign-in before the account was created, seconds ago, would count as revoked.
    const token = createUnsignedToken({ ...claims, auth_time: Math.floor(Date.now() / 1000) });
    const { path, ...request } = buildExampleRequest(functionId, getExample(deployed), token);

    const response = await fetch(`${baseAddress}${path}`, request);

    expect(response.ok ? '' : await response.text()).toBe('');
  },
);
