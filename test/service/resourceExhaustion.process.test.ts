/**
 * Tests API4 of the OWASP API Security Top 10 (2023), unrestricted resource consumption: built functions process requests that
 * could cause much work with little processor time and memory. test/service/validationMessages.test.ts and
 * packages/endpoints/src/request test the error messages.
 */
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { endpoints, getEndpoint } from '../../functions/service.ts';
import { selectCases } from '../support/jest/testCases.ts';
import { useBuiltService, type ProbedFunction } from '../support/processes/builtService.ts';
import {
  createExampleParts,
  createExampleRequest,
  storeFixture,
  type ExampleRequest,
} from '../support/requests/exampleRequests.ts';
import { sendRawRequest, type RawResponse } from '../support/requests/sendRawRequest.ts';

const service = useBuiltService();

const ALICE = { uid: 'artist-alice', prefix: 'alices' };
const MIB = 1024 * 1024;
/** The size of a field that almost fills a body of 1 MiB, in bytes. */
const NEARLY_FULL_BODY_BYTES = MIB - 2_000;
/** The size of a field that has just fewer values than a body may have, in bytes. */
const NEARLY_MAX_VALUES_BYTES = 13_000;

/** Limits: several times the usage of a request on a slow machine, and a fraction of the usage of unlimited input. */
const MAX_PROCESSOR_MS = 200;
const MAX_PEAK_MIB = 200;
const MAX_PEAK_MIB_OF_FLOODS = 300;
/** The memory of an instance of 512 MiB that is available to the process. */
const MAX_PEAK_MIB_OF_INSTANCE = 448;

/** A function whose resource usage is measured. */
interface MeasuredFunction extends ProbedFunction {
  /** Sends the example request with changes. Alice is signed in, but nothing is stored. */
  send(changes: Partial<ExampleRequest>): Promise<RawResponse>;
}

/** Serves a function and warms it up. */
async function serveMeasured(functionId: string): Promise<MeasuredFunction> {
  const functionProcess = await service.serveWithProbe(functionId);
  const token = service.google.createIdToken(ALICE.uid);
  const example = createExampleRequest(functionId, ALICE, token);
  const send: MeasuredFunction['send'] = ({ path = example.path, headers, body = example.body }) =>
    sendRawRequest(functionProcess.origin, path, {
      method: example.method,
      headers: { ...example.headers, ...headers },
      ...(example.body !== undefined && body !== undefined && { body }),
    });
  for (let turn = 0; turn < 3; turn += 1) await send({});
  await send({ body: `{${createMembers(1_000)}}` });
  return { ...functionProcess, send };
}

/** Repeats JSON, separated by commas, up to a size. */
function repeatJson(json: string, bytes = NEARLY_FULL_BODY_BYTES): string {
  return Array.from({ length: Math.floor(bytes / (json.length + 1)) }, () => json).join(',');
}

/** Creates members of a JSON object with distinct names. */
function createMembers(count: number): string {
  return Array.from({ length: count }, (_, index) => `"k${index}":0`).join(',');
}

function nestJson(levels: number, open: string, close: string): string {
  return `${open.repeat(levels)}1${close.repeat(levels)}`;
}

/** JSON that replaces the value of a field. */
const VALUES: Readonly<Record<string, string>> = {
  'a string of 1 MiB': `"${'x'.repeat(NEARLY_FULL_BODY_BYTES)}"`,
  'a string of underscores': `"${'_'.repeat(NEARLY_FULL_BODY_BYTES)}"`,
  'unpaired surrogates': `"${'\\ud800'.repeat(NEARLY_FULL_BODY_BYTES / 6)}"`,
  'a number of a million digits': '9'.repeat(NEARLY_FULL_BODY_BYTES),
  'an object of 4900 members': `{${createMembers(4_900)}}`,
  '2000 lists': `[${repeatJson('[]', NEARLY_MAX_VALUES_BYTES / 2)}]`,
  '500 strings of 2000 bytes': `[${repeatJson(`"${'x'.repeat(1_997)}"`, 500 * 2_000)}]`,
  '500 bad ids': `[${repeatJson(`"${'_'.repeat(1_400)}/"`, 499 * 1_404)}]`,
  '500 objects of 8 members': `[${repeatJson(`{${createMembers(8)}}`, 500 * createMembers(8).length)}]`,
  '500 entries of 1900 digits': `[${repeatJson(`{"id":"a","order":${'9'.repeat(1_900)}}`)}]`,
  'one long id 500 times': `[${repeatJson(`{"id":"${'x'.repeat(1_500)}","order":1}`, 500 * 1_521)}]`,
  '4900 levels': nestJson(4_900, '[', ']'),
  '4900 levels in an object': `{"Monday":${nestJson(4_900, '{"a":', '}')}}`,
  'empty objects in an object': `{"Monday":[${repeatJson('{}', NEARLY_MAX_VALUES_BYTES / 2)}]}`,
  'infinities in an object': `{"Monday":[${repeatJson('1e999', NEARLY_MAX_VALUES_BYTES)}]}`,
  '4900 members in an object': `{"Monday":{${createMembers(4_900)}}}`,
  'a string of 1 MiB in an object': `{"Monday":"${'x'.repeat(NEARLY_FULL_BODY_BYTES)}"}`,
  '4900 long names in an object': `{"Monday":{${createMembers(4_900).replaceAll('"k', `"${'k'.repeat(190)}`)}}}`,
  'the same name 900 times': `{${repeatJson('"Monday":[{}]', NEARLY_MAX_VALUES_BYTES)}}`,
};

/** Bodies. */
const BODIES: Readonly<Record<string, string>> = {
  '4900 unknown fields': `{${createMembers(4_900)}}`,
  'a list without its end': `{"a":[${repeatJson('{}', NEARLY_MAX_VALUES_BYTES / 2)}`,
  'a string without its end': `{"a":"${'ü'.repeat(NEARLY_FULL_BODY_BYTES / 2)}`,
  backslashes: '\\'.repeat(NEARLY_FULL_BODY_BYTES),
};

/** The size of a header that is almost too long, in bytes. */
const NEARLY_MAX_HEADER_BYTES = 14_000;

/** Queries. */
const QUERIES: Readonly<Record<string, string>> = {
  '3000 parameters': 'a=b&'.repeat(3_000),
  '4000 escapes': `a=${'%C3%BC%41'.repeat(1_500)}`,
  'a cursor of 12 kB': `cursor=${'x'.repeat(12_000)}`,
  '1000 ids': 'photoIds=a&'.repeat(1_000),
  'a bad id of 12 kB': `photoIds=${'%5F'.repeat(4_000)}`,
};

/** Headers. */
const HEADERS: Readonly<Record<string, string>> = {
  'If-None-Match': repeatJson('"a"', NEARLY_MAX_HEADER_BYTES),
  'Accept-Encoding': `gzip${' '.repeat(NEARLY_MAX_HEADER_BYTES)}x`,
  'Content-Type': `application/json; charset=${' '.repeat(NEARLY_MAX_HEADER_BYTES)}x`,
  Authorization: `Bearer ${' '.repeat(NEARLY_MAX_HEADER_BYTES)}x,`,
  'X-Forwarded-For': repeatJson('1.1.1.1', NEARLY_MAX_HEADER_BYTES),
};

/** Creates requests to a function: changes of a body field of each type, and of the body, the query and the headers. */
function createAttacks(functionId: string): Readonly<Record<string, Partial<ExampleRequest>>> {
  const { path } = createExampleRequest(functionId, ALICE, '');
  const { body = {} } = createExampleParts(functionId, ALICE);
  const getType = (value: unknown) => (Array.isArray(value) ? 'list' : typeof value);
  const fields = new Map(Object.entries(body).map(([name, value]) => [getType(value), name]));
  const attacks: Record<string, Partial<ExampleRequest>> = {};
  for (const field of fields.values()) {
    const template = JSON.stringify({ ...body, [field]: 'HERE' });
    for (const [name, json] of Object.entries(VALUES)) {
      attacks[`${field}: ${name}`] = { body: template.replace('"HERE"', () => json) };
    }
  }
  // `send` omits the body if the endpoint has none.
  for (const [name, json] of Object.entries(BODIES)) attacks[`a body of ${name}`] = { body: json };
  for (const [name, query] of Object.entries(QUERIES)) {
    const separator = path.includes('?') ? '&' : '?';
    attacks[`a query of ${name}`] = { path: `${path}${separator}${query}`, body: '' };
  }
  for (const [name, value] of Object.entries(HEADERS)) {
    attacks[`${name}: ${value.slice(0, 10)}…`] = { headers: { [name]: value } };
  }
  return { ...attacks, 'a path of 7000 segments': { path: '/a'.repeat(7_000) } };
}

test.each(endpoints)(
  '$functionId processes every request with little processor time and memory',
  async ({ functionId }) => {
    const measured = await serveMeasured(functionId);
    const excessive: unknown[] = [];
    for (const [name, attack] of Object.entries(createAttacks(functionId))) {
      const before = await measured.readUsage();
      const { status } = await measured.send(attack);
      const { processorMs, peakMiB } = await measured.readUsage();
      const spentMs = processorMs - before.processorMs;
      if (status >= 500 || spentMs > MAX_PROCESSOR_MS || peakMiB > MAX_PEAK_MIB) {
        excessive.push({ name, status, spentMs, peakMiB });
      }
    }
    await measured.stop();

    expect(excessive).toEqual([]);
  },
);

describe('many large bodies at once', () => {
  let measured: MeasuredFunction;

  beforeAll(async () => {
    measured = await serveMeasured('availability-updateAvailability');
  });

  /** Sends a body of 30 MiB in chunks while the service reads it. Returns the status. */
  async function sendFlood(headers: Readonly<Record<string, string>>): Promise<number | undefined> {
    const chunk = 'x'.repeat(64 * 1024);
    const clientRequest = request(`${measured.origin}/availability/update-availability`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      agent: false,
    });
    const responded = once(clientRequest, 'response');
    // The service closes the connection before the body ends.
    pipeline(Readable.from(Array<string>(480).fill(chunk)), clientRequest).catch(() => undefined);
    const [response] = (await responded) as [IncomingMessage];
    response.on('error', () => undefined).resume();
    await once(clientRequest, 'close');
    return response.statusCode;
  }

  test.each([
    { name: 'without a token', status: 401, createHeaders: () => ({}) },
    {
      name: 'with a token',
      status: 413,
      createHeaders: () => ({
        Authorization: `Bearer ${service.google.createIdToken(ALICE.uid)}`,
      }),
    },
  ])(
    '20 bodies of 30 MiB $name are rejected with $status, and other requests are served',
    async ({ status, createHeaders }) => {
      const floods = Array.from({ length: 20 }, () => sendFlood(createHeaders()));
      const otherRequests = Array.from({ length: 10 }, () => measured.send({}));

      expect(new Set(await Promise.all(floods))).toEqual(new Set([status]));
      const responses = await Promise.all(otherRequests);
      expect(new Set(responses.map((response) => response.status))).toEqual(new Set([404]));
      expect((await measured.readUsage()).peakMiB).toBeLessThan(MAX_PEAK_MIB_OF_FLOODS);
    },
  );

  test('80 bodies of 1 MiB with too many values are rejected', async () => {
    const body = `{"weeklySlots":{"Monday":[${repeatJson('{}')}]}}`;
    const responses = await Promise.all(Array.from({ length: 80 }, () => measured.send({ body })));

    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([400]));
    expect((await measured.readUsage()).peakMiB).toBeLessThan(MAX_PEAK_MIB_OF_FLOODS);
  });
});

/** Short JSON that takes much memory after parsing: V8 reserves memory for 35 elements in each of these objects. */
const SPARSE_OBJECT = '{"34":0}';
const createWeek = (slot: string, count: number) =>
  `{"Monday":[${Array<string>(count).fill(slot).join(',')}]}`;

/** A list with the maximum number of ids, whose lengths add up to the maximum. */
const LONG_IDS = Array.from({ length: 500 }, (_, index) => String(index).padEnd(80, 'x'));

const ORDER_UPDATES = LONG_IDS.map((id, order) => ({ id, order }));

/** A function, and a field of its requests with this JSON. */
interface MemoryCase {
  readonly name: string;
  readonly functionId: string;
  readonly field: string;
  readonly json: string;
}

const MEMORY_CASES = selectCases<MemoryCase>([
  {
    name: 'an end of 4900 nested objects, which is rejected',
    functionId: 'availability-updateAvailability',
    field: 'effectiveUntil',
    json: nestJson(4_900, '{"34":', '}'),
  },
  {
    slow: true,
    name: 'a week of 1490 objects',
    functionId: 'availability-updateAvailability',
    field: 'weeklySlots',
    json: createWeek(SPARSE_OBJECT, 1_490),
  },
  {
    name: 'a week of 995 objects in objects',
    functionId: 'availability-updateAvailability',
    field: 'weeklySlots',
    json: createWeek(`{"34":${SPARSE_OBJECT}}`, 995),
  },
  {
    name: '500 long ids to remove',
    functionId: 'gallery-removePhotos',
    field: 'photoIds',
    json: JSON.stringify(LONG_IDS),
  },
  {
    slow: true,
    name: '500 long ids to reorder',
    functionId: 'flash-reorder',
    field: 'flashUpdates',
    json: JSON.stringify(ORDER_UPDATES),
  },
]);

test.each(MEMORY_CASES)(
  'the maximum number of concurrent requests with $name fits into the memory of an instance',
  async (row) => {
    const { functionId, field, json } = row;
    const bob = { uid: 'artist-bob', prefix: 'bobs' };
    await storeFixture(service.store, bob);
    const paths = LONG_IDS.flatMap((id) => [`gallery/${id}`, `flash/${id}`]);
    await service.store.setAll(paths.map((path) => [path, { artistId: bob.uid, updatedAt: 7 }]));
    const measured = await serveMeasured(functionId);
    const { body } = createExampleParts(functionId, bob);
    const template = JSON.stringify({ ...body, dateRangeType: 'indefinitely', [field]: 'HERE' });
    const changes = {
      headers: { Authorization: `Bearer ${service.google.createIdToken(bob.uid)}` },
      body: template.replace('"HERE"', () => json),
    };

    const callers = getEndpoint(functionId).endpoint.declaration.concurrency ?? 80;
    const responses = await Promise.all(
      Array.from({ length: callers }, () => measured.send(changes)),
    );

    // The requests contend for the same documents: some reach their deadline (503), and some find the photos deleted (404).
    expect([200, 400, 404, 503]).toEqual(
      expect.arrayContaining(responses.map(({ status }) => status)),
    );
    expect((await measured.readUsage()).peakMiB).toBeLessThan(MAX_PEAK_MIB_OF_INSTANCE);
  },
);

/** The maximum number of concurrent requests to an instance of this function. */
const DELETE_SESSION_CONCURRENCY = 10;

test('10 concurrent deletions from a booking of 1 MB fit into the memory of an instance', async () => {
  const bob = { uid: 'artist-bob', prefix: 'bobs' };
  const functionId = 'bookings-deleteSession';
  expect(getEndpoint(functionId).endpoint.declaration.concurrency).toBe(DELETE_SESSION_CONCURRENCY);
  // About 129 bytes each, as Firestore counts them, and 210 in its JSON, of which a change may depend on 2 MiB.
  const sessions = Array.from({ length: 8_000 }, (_, sessionNumber) => ({
    sessionNumber,
    date: 1_793_000_000_000 + sessionNumber,
    status: 'planned',
    notes: 'x'.repeat(40),
  }));
  await service.store.setAll([['bookings/large', { artistId: bob.uid, sessions }]]);
  const measured = await serveMeasured(functionId);
  const deletions = Array.from({ length: DELETE_SESSION_CONCURRENCY }, (_, sessionNumber) =>
    measured.send({
      headers: { Authorization: `Bearer ${service.google.createIdToken(bob.uid)}` },
      body: JSON.stringify({ bookingId: 'large', sessionNumber }),
    }),
  );

  const responses = await Promise.all(deletions);

  // The requests contend for the same booking: some reach their deadline.
  expect([200, 503]).toEqual(expect.arrayContaining(responses.map(({ status }) => status)));
  expect((await measured.readUsage()).peakMiB).toBeLessThan(MAX_PEAK_MIB_OF_INSTANCE);
});
