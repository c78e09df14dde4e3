/** Tests a deployed service: `npm run test:live`. */
import { EmulatorClient } from '@tattoo-marketplace/firestore-embedded';
import { endpoints } from '../../functions/service.ts';
import { generateHistories } from '../contract/histories.ts';
import { expectLinearizable } from '../contract/run.ts';
import { getTestStack } from '../support/processes/testStack.ts';
import { adminUpdateAccount, signInAs } from '../support/requests/accounts.ts';
import {
  createExampleRequest,
  storeFixture,
  type ExampleRequest,
} from '../support/requests/exampleRequests.ts';
import { createUniqueId } from '../support/requests/uniqueId.ts';
import { sendServiceRequest } from '../support/requests/openapi.ts';

const { baseAddress, firestoreHost, projectId } = getTestStack();
const store = new EmulatorClient(firestoreHost, projectId);

/** The number of requests to a warm instance. */
const WARM_REQUESTS = 5;
/** The number of histories. They take minutes. */
const HISTORIES = 100;
const TEST_TIMEOUT_MS = 60 * 60_000;

/** The ID tokens of the accounts that were created, by uid. */
const tokens = new Map<string, Promise<string>>();

function createIdToken(uid: string): Promise<string> {
  const token = tokens.get(uid) ?? signInAs(uid);
  tokens.set(uid, token);
  return token;
}

afterAll(async () => {
  for (const localId of tokens.keys()) await adminUpdateAccount('delete', { localId });
});

test(
  'each endpoint responds to its example request',
  async () => {
    const rows: string[] = [];
    for (const { functionId } of endpoints) {
      const uid = createUniqueId('live');
      const fixture = { uid, prefix: createUniqueId('live') };
      const durations: number[] = [];
      const before = new Set(Object.keys(await store.getAllDocuments()));
      for (let index = 0; index <= WARM_REQUESTS; index += 1) {
        await storeFixture(store, fixture);
        const request = createExampleRequest(functionId, fixture, await createIdToken(uid));
        const startedAt = performance.now();
        const { status } = await sendServiceRequest(baseAddress, request);
        durations.push(Math.round(performance.now() - startedAt));
        expect([functionId, status]).toEqual([functionId, 200]);
      }
      const created = Object.keys(await store.getAllDocuments()).filter(
        (path) => !before.has(path),
      );
      await store.write(Object.fromEntries(created.map((path) => [path, null])));
      const [first = 0, ...warm] = durations;
      const median = warm.sort((a, b) => a - b)[Math.floor(warm.length / 2)] ?? 0;
      rows.push(`${functionId.padEnd(40)} 200  first ${first} ms, then ${median} ms`);
    }
    process.stdout.write(`${rows.join('\n')}\n`);
  },
  TEST_TIMEOUT_MS,
);

test(
  'responses and stored documents are linearizable',
  () => {
    const service = {
      store,
      createIdToken,
      send: (_functionId: string, request: ExampleRequest) =>
        sendServiceRequest(baseAddress, request),
    };
    // Proxies resolve the path segments `.` and `..`.
    const histories = generateHistories().filter(
      (history) => !/"\.\.?"/.test(JSON.stringify(history)),
    );
    return expectLinearizable(service, histories, { all: HISTORIES });
  },
  TEST_TIMEOUT_MS,
);
