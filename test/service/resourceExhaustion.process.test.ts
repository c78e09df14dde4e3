/**
 * API4 of the OWASP API Security Top 10 (2023), resource consumption: requests that could cause much work, sent to built
 * functions. Each is processed with little processor time and memory. What the responses say is the subject of
 * test/service/validationMessages.test.ts and packages/endpoints/src/request.
 */
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { endpoints, getEndpoint } from '../../functions/service.ts';
import { useProcessService, type ProbedFunction } from '../support/processService.ts';
import {
  createExampleParts,
  createExampleRequest,
  storeFixture,
  type ExampleRequest,
} from '../../demo/exampleRequests.ts';
import { sendRawRequest, type RawResponse } from '../../dev/testing/sendRawRequest.ts';

const service = useProcessService();

const ALICE = { uid: 'artist-alice', prefix: 'alices' };
const MIB = 1024 * 1024;
/** The size of a field that almost fills a body of 1 MiB, in bytes. */
const NEARLY_FULL_BODY_BYTES = MIB - 2_000;
/** The size of a field that has just fewer values than a body may have, in bytes. */
const NEARLY_MAX_VALUES_BYTES = 13_000;

/** Several times the usage of a request on a slow machine, and a fraction of it if input were not limited. */
const MAX_PROCESSOR_MS = 200;
const MAX_PEAK_MIB = 200;
const MAX_PEAK_MIB_OF_MANY = 300;
/** Memory of an instance of 512 MiB that is left for the process. */
const MAX_PEAK_MIB_OF_INSTANCE = 448;

/** A function whose resources are measured. */
interface Measured extends ProbedFunction {
  /** Sends the example request with changes. Alice is signed in, but nothing is stored. */
  send(changes: Partial<ExampleRequest>): Promise<RawResponse>;
}

/** Serves a function and warms it up. */
async function serveMeasured(functionId: string): Promise<Measured> {
  const served = await service.serveWithProbe(functionId);
  const own = createExampleRequest(functionId, ALICE, service.google.createIdToken(ALICE.uid));
  const send: Measured['send'] = ({ path = own.path, headers, body = own.body }) => {
    const sent = own.body === undefined || body === undefined ? {} : { body };
    const all = { ...own.headers, ...headers };
    return sendRawRequest(served.origin, path, { method: own.method, headers: all, ...sent });
  };
  for (let turn = 0; turn < 3; turn += 1) await send({});
  await send({ body: `{${members(1_000)}}` });
  return { ...served, send };
}

/** A text repeated, with commas between, to the size of a field. */
function fillBody(part: string, room = NEARLY_FULL_BODY_BYTES): string {
  return Array.from({ length: Math.floor(room / (part.length + 1)) }, () => part).join(',');
}

/** Members of a JSON object with distinct names. */
function members(count: number): string {
  return Array.from({ length: count }, (_, index) => `"k${index}":0`).join(',');
}

function nested(levels: number, open: string, close: string): string {
  return `${open.repeat(levels)}1${close.repeat(levels)}`;
}

/** JSON in place of any field. */
const VALUES: Readonly<Record<string, string>> = {
  'a text of 1 MiB': `"${'x'.repeat(NEARLY_FULL_BODY_BYTES)}"`,
  'a text of underscores': `"${'_'.repeat(NEARLY_FULL_BODY_BYTES)}"`,
  'unpaired surrogates': `"${'\\ud800'.repeat(NEARLY_FULL_BODY_BYTES / 6)}"`,
  'a number of a million digits': '9'.repeat(NEARLY_FULL_BODY_BYTES),
  'an object of 4900 members': `{${members(4_900)}}`,
  '2000 lists': `[${fillBody('[]', NEARLY_MAX_VALUES_BYTES / 2)}]`,
  '500 texts of 2000 bytes': `[${fillBody(`"${'x'.repeat(1_997)}"`, 500 * 2_000)}]`,
  '500 bad ids': `[${fillBody(`"${'_'.repeat(1_400)}/"`, 499 * 1_404)}]`,
  '500 objects of 8 members': `[${fillBody(`{${members(8)}}`, 500 * members(8).length)}]`,
  '500 entries of 1900 digits': `[${fillBody(`{"id":"a","order":${'9'.repeat(1_900)}}`)}]`,
  '500 times one long id': `[${fillBody(`{"id":"${'x'.repeat(1_500)}","order":1}`, 500 * 1_521)}]`,
  '4900 levels': nested(4_900, '[', ']'),
  '4900 levels in an object': `{"Monday":${nested(4_900, '{"a":', '}')}}`,
  'empty objects in an object': `{"Monday":[${fillBody('{}', NEARLY_MAX_VALUES_BYTES / 2)}]}`,
  'infinities in an object': `{"Monday":[${fillBody('1e999', NEARLY_MAX_VALUES_BYTES)}]}`,
  '4900 members in an object': `{"Monday":{${members(4_900)}}}`,
  'a text of 1 MiB in an object': `{"Monday":"${'x'.repeat(NEARLY_FULL_BODY_BYTES)}"}`,
  '4900 long names in an object': `{"Monday":{${members(4_900).replaceAll('"k', `"${'k'.repeat(190)}`)}}}`,
  'the same name 900 times': `{${fillBody('"Monday":[{}]', NEARLY_MAX_VALUES_BYTES)}}`,
};

/** Whole bodies. */
const BODIES: Readonly<Record<string, string>> = {
  '4900 unknown fields': `{${members(4_900)}}`,
  'a list without an end': `{"a":[${fillBody('{}', NEARLY_MAX_VALUES_BYTES / 2)}`,
  'a text without an end': `{"a":"${'ü'.repeat(NEARLY_FULL_BODY_BYTES / 2)}`,
  backslashes: '\\'.repeat(NEARLY_FULL_BODY_BYTES),
};

const LONG = 14_000;

/** Queries. */
const QUERIES: Readonly<Record<string, string>> = {
  '3000 parameters': 'a=b&'.repeat(3_000),
  '4000 escapes': `a=${'%C3%BC%41'.repeat(1_500)}`,
  'a cursor of 12 kB': `cursor=${'x'.repeat(12_000)}`,
  '1000 ids': 'photoIds=a&'.repeat(1_000),
  'a bad id of 12 kB': `photoIds=${'%5F'.repeat(4_000)}`,
};

/** Headers. */
const HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['If-None-Match', fillBody('"a"', LONG)],
  ['Accept-Encoding', `gzip${' '.repeat(LONG)}x`],
  ['Content-Type', `application/json; charset=${' '.repeat(LONG)}x`],
  ['Authorization', `Bearer ${' '.repeat(LONG)}x,`],
  ['X-Forwarded-For', fillBody('1.1.1.1', LONG)],
];

/** The requests to a function: in one field of each kind of its body, or in its query and headers. */
function attacksOn(functionId: string): Readonly<Record<string, Partial<ExampleRequest>>> {
  const { path } = createExampleRequest(functionId, ALICE, '');
  const { body = {} } = createExampleParts(functionId, ALICE);
  const kindOf = (value: unknown) => (Array.isArray(value) ? 'list' : typeof value);
  const fields = new Map(Object.entries(body).map(([name, value]) => [kindOf(value), name]));
  const attacks: Record<string, Partial<ExampleRequest>> = {};
  for (const field of fields.values()) {
    const withMark = JSON.stringify({ ...body, [field]: 'HERE' });
    for (const [name, json] of Object.entries(VALUES)) {
      attacks[`${field}: ${name}`] = { body: withMark.replace('"HERE"', () => json) };
    }
  }
  // An endpoint without a body gets none.
  for (const [name, whole] of Object.entries(BODIES))
    attacks[`a body of ${name}`] = { body: whole };
  for (const [name, query] of Object.entries(QUERIES)) {
    const and = path.includes('?') ? '&' : '?';
    attacks[`a query of ${name}`] = { path: `${path}${and}${query}`, body: '' };
  }
  for (const [name, value] of HEADERS) {
    attacks[`${name}: ${value.slice(0, 10)}…`] = { headers: { [name]: value } };
  }
  return { ...attacks, 'a path of 7000 segments': { path: '/a'.repeat(7_000) } };
}

test.each(endpoints.map(({ functionId }) => functionId))(
  'no request to %s takes much processor time or memory',
  async (functionId) => {
    const measured = await serveMeasured(functionId);
    const excessive: unknown[] = [];
    for (const [name, attack] of Object.entries(attacksOn(functionId))) {
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
  let measured: Measured;

  beforeAll(async () => {
    measured = await serveMeasured('availability-updateAvailability');
  });

  /** Sends a body of 30 MiB in chunks for as long as the service reads it; returns the status. */
  async function flood(headers: Readonly<Record<string, string>>): Promise<number | undefined> {
    const chunk = 'x'.repeat(64 * 1024);
    const all = { 'Content-Type': 'application/json', ...headers };
    const sent = request(`${measured.origin}/availability/update-availability`, {
      method: 'POST',
      headers: all,
      agent: false,
    });
    const responded = once(sent, 'response');
    // The service closes the connection while this is still sending.
    pipeline(Readable.from(Array<string>(480).fill(chunk)), sent).catch(() => undefined);
    const [response] = (await responded) as [IncomingMessage];
    response.on('error', () => undefined).resume();
    await once(sent, 'close');
    return response.statusCode;
  }

  test.each([
    ['without a token', 401, () => ({})],
    [
      'with a token',
      413,
      () => ({ Authorization: `Bearer ${service.google.createIdToken(ALICE.uid)}` }),
    ],
  ])('20 of 30 MiB %s are rejected with %i, and others are served', async (...row) => {
    const [, status, headers] = row;
    const floods = Array.from({ length: 20 }, () => flood(headers()));
    const others = Array.from({ length: 10 }, () => measured.send({}));

    expect(new Set(await Promise.all(floods))).toEqual(new Set([status]));
    const responses = await Promise.all(others);
    expect(new Set(responses.map((other) => other.status))).toEqual(new Set([404]));
    expect((await measured.readUsage()).peakMiB).toBeLessThan(MAX_PEAK_MIB_OF_MANY);
  });

  test('80 of 1 MiB with too many values are rejected', async () => {
    const body = `{"weeklySlots":{"Monday":[${fillBody('{}')}]}}`;
    const responses = await Promise.all(Array.from({ length: 80 }, () => measured.send({ body })));

    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([400]));
    expect((await measured.readUsage()).peakMiB).toBeLessThan(MAX_PEAK_MIB_OF_MANY);
  });
});

/** Small JSON that takes much memory once it is parsed: V8 makes room for 35 elements in each of these objects. */
const SPARSE_OBJECT = '{"34":0}';
const week = (part: string, count: number) =>
  `{"Monday":[${Array<string>(count).fill(part).join(',')}]}`;

/** As many ids as a list may have, and as long as they may be then. */
const LONG_IDS = Array.from({ length: 500 }, (_, index) => String(index).padEnd(80, 'x'));

const ORDER_UPDATES = LONG_IDS.map((id, order) => ({ id, order }));

const UPDATE = 'availability-updateAvailability';
const NESTED_END = nested(4_900, '{"34":', '}');

test.each<[what: string, functionId: string, field: string, json: string]>([
  ['an end of 4900 nested objects, which is rejected', UPDATE, 'effectiveUntil', NESTED_END],
  ['a week of 1490 objects', UPDATE, 'weeklySlots', week(SPARSE_OBJECT, 1_490)],
  ['a week of 995 objects in objects', UPDATE, 'weeklySlots', week(`{"34":${SPARSE_OBJECT}}`, 995)],
  ['500 long ids to remove', 'gallery-removePhotos', 'photoIds', JSON.stringify(LONG_IDS)],
  ['500 long ids to reorder', 'flash-reorder', 'flashUpdates', JSON.stringify(ORDER_UPDATES)],
])('the most concurrent requests with %s stay within the memory of an instance', async (...row) => {
  const [, functionId, field, json] = row;
  const bob = { uid: 'artist-bob', prefix: 'bobs' };
  await storeFixture(service.store, bob);
  const paths = LONG_IDS.flatMap((id) => [`gallery/${id}`, `flash/${id}`]);
  await service.store.setAll(paths.map((path) => [path, { artistId: bob.uid, updatedAt: 7 }]));
  const measured = await serveMeasured(functionId);
  const { body } = createExampleParts(functionId, bob);
  const changed = JSON.stringify({ ...body, dateRangeType: 'indefinitely', [field]: 'HERE' });
  const sent = {
    headers: { Authorization: `Bearer ${service.google.createIdToken(bob.uid)}` },
    body: changed.replace('"HERE"', () => json),
  };

  const callers = getEndpoint(functionId).endpoint.declaration.concurrency ?? 80;
  const responses = await Promise.all(Array.from({ length: callers }, () => measured.send(sent)));

  // They contend for the same documents: some run into the deadline (503), others find the photos deleted (404).
  expect([200, 400, 404, 503]).toEqual(
    expect.arrayContaining(responses.map(({ status }) => status)),
  );
  expect((await measured.readUsage()).peakMiB).toBeLessThan(MAX_PEAK_MIB_OF_INSTANCE);
});

/** The most requests that the platform sends to an instance of this function at once. */
const SESSION_CALLERS = 10;

test('10 deletions at once from a booking of 1 MB stay within the memory of an instance', async () => {
  const bob = { uid: 'artist-bob', prefix: 'bobs' };
  const functionId = 'bookings-deleteSession';
  expect(getEndpoint(functionId).endpoint.declaration.concurrency).toBe(SESSION_CALLERS);
  // About 129 bytes each, as Firestore counts them. A booking of only tiny values takes more memory: only trusted writers can
  // store it.
  const sessions = Array.from({ length: 8_000 }, (_, sessionNumber) => ({
    sessionNumber,
    date: 1_793_000_000_000 + sessionNumber,
    status: 'planned',
    notes: 'x'.repeat(40),
  }));
  await service.store.setAll([['bookings/large', { artistId: bob.uid, sessions }]]);
  const measured = await serveMeasured(functionId);
  const deletions = Array.from({ length: SESSION_CALLERS }, (_, sessionNumber) =>
    measured.send({
      headers: { Authorization: `Bearer ${service.google.createIdToken(bob.uid)}` },
      body: JSON.stringify({ bookingId: 'large', sessionNumber }),
    }),
  );

  const responses = await Promise.all(deletions);

  // They change the same booking: some find no time before the deadline.
  expect([200, 503]).toEqual(expect.arrayContaining(responses.map(({ status }) => status)));
  expect((await measured.readUsage()).peakMiB).toBeLessThan(MAX_PEAK_MIB_OF_INSTANCE);
});
