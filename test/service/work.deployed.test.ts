/**
 * API4 of the OWASP API Security Top 10 (2023), resource consumption: requests that could cause much work, sent to built
 * functions. Each is processed with little processor time and memory. What the responses say is the subject of
 * test/service/bodies.test.ts and test/http.
 */
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { freePortList, LOOPBACK } from '../emulator/ports.ts';
import { deployedEndpoints, exampleOf } from '../support/deployMap.ts';
import type { DeployedFunction } from '../support/deployedFunction.ts';
import { deployedService } from '../support/deployedService.ts';
import { exampleRequest, type ExampleRequest } from '../support/exampleRequests.ts';
import { rawRequest, type RawResponse } from '../support/rawRequest.ts';
import type { ResourceUsage } from './probe.ts';

const service = deployedService();

const ALICE = { uid: 'artist-alice', prefix: 'alices' };
const MIB = 1024 * 1024;
/** The size of a field that almost fills a body of 1 MiB, in bytes. */
const ROOM = MIB - 2_000;
/** The size of a field that has just fewer values than a body may have, in bytes. */
const JUST = 130_000;

/** Several times the usage of a request on a slow machine, and a fraction of it if input were not limited. */
const MAX_PROCESSOR_MS = 200;
const MAX_PEAK_MIB = 200;
const MAX_PEAK_MIB_OF_MANY = 300;

/** A function whose resources are measured. */
interface Measured extends DeployedFunction {
  /** What work takes: its processor time, and the highest memory so far. */
  usageOf(work: () => Promise<unknown>): Promise<ResourceUsage>;
}

/** Serves a function with the platform's memory limit, warmed up, with a probe in its process. */
async function serveMeasured(functionId: string): Promise<Measured> {
  const [port = 0] = await freePortList(1);
  const probe = pathToFileURL('test/service/probe.ts').href;
  const served = await service.serve(functionId, {
    // The heap that fits into an instance of 512 MiB.
    NODE_OPTIONS: `--max-old-space-size=448 --import ${probe}`,
    PROBE_PORT: String(port),
  });
  const usage = async () => JSON.parse(await text(connect(port, LOOPBACK))) as ResourceUsage;
  for (let turn = 0; turn < 3; turn += 1) await send(functionId, served, {});
  await send(functionId, served, { body: `{${members(1_000)}}` });
  return {
    ...served,
    usageOf: async (work) => {
      const before = await usage();
      await work();
      const after = await usage();
      return { ...after, processorMs: after.processorMs - before.processorMs };
    },
  };
}

/** Sends the example request of a function with changes. Alice is signed in, but nothing is stored. */
async function send(
  functionId: string,
  { origin }: DeployedFunction,
  { headers, path, body }: Partial<ExampleRequest>,
): Promise<RawResponse> {
  const own = exampleRequest(functionId, ALICE, service.google.tokenOf(ALICE.uid));
  const sent = own.body === undefined ? undefined : (body ?? own.body);
  return rawRequest(origin, path ?? own.path, {
    method: own.method,
    headers: { ...own.headers, ...headers },
    ...(sent !== undefined && { body: sent }),
  });
}

/** A text repeated, with commas between, to the size of a field. */
function filled(part: string, room = ROOM): string {
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
  'a text of 1 MiB': `"${'x'.repeat(ROOM)}"`,
  'a text of underscores': `"${'_'.repeat(ROOM)}"`,
  'a text of escapes': `"${'\\u0000'.repeat(ROOM / 6)}"`,
  'a text of combining marks': `"a${'\u0301'.repeat(ROOM / 2)}"`,
  'unpaired surrogates': `"${'\\ud800'.repeat(ROOM / 6)}"`,
  'a number of a million digits': '9'.repeat(ROOM),
  'an object of 80 000 members': `{${members(80_000)}}`,
  'an object of 40 000 members': `{${members(40_000)}}`,
  '350 000 lists': `[${filled('[]')}]`,
  '20 000 lists': `[${filled('[]', JUST / 2)}]`,
  '46 000 empty texts': `[${filled('""', JUST)}]`,
  '500 texts of 2000 bytes': `[${filled(`"${'x'.repeat(1_997)}"`, 500 * 2_000)}]`,
  '500 bad ids': `[${filled(`"${'_'.repeat(1_400)}/"`, 499 * 1_404)}]`,
  '500 objects of 90 members': `[${filled(`{${members(90)}}`, 500 * members(90).length)}]`,
  '500 entries of 1900 digits': `[${filled(`{"id":"a","order":${'9'.repeat(1_900)}}`)}]`,
  '500 times one long id': `[${filled(`{"id":"${'x'.repeat(1_500)}","order":1}`, 500 * 1_521)}]`,
  '500 000 levels': nested(ROOM / 2 - 1, '[', ']'),
  '40 000 levels': nested(40_000, '[', ']'),
  '40 000 levels in an object': `{"Monday":${nested(40_000, '{"a":', '}')}}`,
  'empty objects in an object': `{"Monday":[${filled('{}', JUST / 2)}]}`,
  'lists in objects in an object': `{"Monday":[${filled('{"a":[]}', JUST)}]}`,
  'infinities in an object': `{"Monday":[${filled('1e999', JUST)}]}`,
  '40 000 members in an object': `{"Monday":{${members(40_000)}}}`,
  'a text of 1 MiB in an object': `{"Monday":"${'x'.repeat(ROOM)}"}`,
  'a name of 1 MiB in an object': `{"Monday":{"${'x'.repeat(ROOM)}":1}}`,
  '4900 long names in an object': `{"Monday":{${members(4_900).replaceAll('"k', `"${'k'.repeat(190)}`)}}}`,
  'the same name 10 000 times': `{${filled('"Monday":[{}]', JUST)}}`,
};

/** Whole bodies. */
const BODIES: Readonly<Record<string, string>> = {
  '40 000 unknown fields': `{${members(40_000)}}`,
  '20 000 objects': `[${filled('{}', JUST / 2)}]`,
  'a list without an end': `{"a":[${filled('{}', JUST / 2)}`,
  'a text without an end': `{"a":"${'ü'.repeat(ROOM / 2)}`,
  quotes: '"'.repeat(ROOM),
  backslashes: '\\'.repeat(ROOM),
};

const LONG = 14_000;

/** Queries. */
const QUERIES: Readonly<Record<string, string>> = {
  '3000 parameters': 'a=b&'.repeat(3_000),
  '4000 escapes': `a=${'%C3%BC%41'.repeat(1_500)}`,
  'plus signs': '+'.repeat(LONG),
  hashes: '#'.repeat(LONG),
  'a cursor of 12 kB': `cursor=${'x'.repeat(12_000)}`,
  'a limit of 12 kB': `limit=${'9'.repeat(12_000)}`,
  '1000 ids': 'photoIds=a&'.repeat(1_000),
  'a bad id of 12 kB': `photoIds=${'%5F'.repeat(4_000)}`,
};

/** Headers. */
const HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['If-None-Match', filled('"a"', LONG)],
  ['If-None-Match', ','.repeat(LONG)],
  ['Accept-Encoding', `gzip${' '.repeat(LONG)}x`],
  ['Accept-Encoding', filled('gzip;q=0', LONG)],
  ['Authorization', `Bearer ${' '.repeat(LONG)}x,`],
  ['X-Forwarded-For', filled('1.1.1.1', LONG)],
];

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'list' : typeof value;
}

/** The requests to an endpoint: in each field of its body, or in its query and headers. */
function attacksOn({ functionId, endpoint, ...names }: (typeof deployedEndpoints)[number]) {
  const own = exampleRequest(functionId, ALICE, '');
  const { body } = exampleOf({ functionId, endpoint, ...names });
  const attacks: Record<string, Partial<ExampleRequest>> = {};
  // One field of each kind.
  const fields = new Map(Object.entries(body ?? {}).map(([name, value]) => [kindOf(value), name]));
  for (const field of fields.values()) {
    for (const [name, json] of Object.entries(VALUES)) {
      const withMark = JSON.stringify({ ...JSON.parse(own.body ?? '{}'), [field]: 'HERE' });
      attacks[`${field}: ${name}`] = { body: withMark.replace('"HERE"', () => json) };
    }
  }
  for (const [name, whole] of Object.entries(body ? BODIES : {})) {
    attacks[`a body of ${name}`] = { body: whole };
  }
  for (const [name, query] of Object.entries(QUERIES)) {
    const and = own.path.includes('?') ? '&' : '?';
    attacks[`a query of ${name}`] = { path: `${own.path}${and}${query}`, body: '' };
  }
  for (const [name, value] of HEADERS) {
    attacks[`${name}: ${value.slice(0, 10)}…`] = { headers: { [name]: value } };
  }
  return { ...attacks, 'a path of 7000 segments': { path: '/a'.repeat(7_000) } };
}

test.each(deployedEndpoints.map((deployed) => [deployed.functionId, deployed] as const))(
  'no request to %s takes much processor time or memory',
  async (functionId, deployed) => {
    const measured = await serveMeasured(functionId);
    const excessive: unknown[] = [];
    for (const [name, attack] of Object.entries(attacksOn(deployed))) {
      let status = 0;
      const usage = await measured.usageOf(async () => {
        ({ status } = await send(functionId, measured, attack));
      });
      if (status >= 500 || usage.processorMs > MAX_PROCESSOR_MS || usage.peakMiB > MAX_PEAK_MIB) {
        excessive.push({ name, status, ...usage });
      }
    }
    await measured.stop();

    expect(excessive).toEqual([]);
  },
);

describe('many large bodies at once', () => {
  const functionId = 'availability-updateAvailability';
  const path = '/availability/update-availability';
  let measured: Measured;

  beforeAll(async () => {
    measured = await serveMeasured(functionId);
  });

  /** Sends a body of 30 MiB in chunks for as long as the service reads it; returns the status. */
  async function flood(headers: Readonly<Record<string, string>>): Promise<number | undefined> {
    const chunk = 'x'.repeat(64 * 1024);
    const all = { 'Content-Type': 'application/json', ...headers };
    const sent = request(measured.origin + path, { method: 'POST', headers: all, agent: false });
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
    ['with a token', 413, () => ({ Authorization: `Bearer ${service.google.tokenOf(ALICE.uid)}` })],
  ])('20 of 30 MiB %s are refused with %i, and others are served', async (...row) => {
    const [, status, headers] = row;
    let statuses: unknown[] = [];
    let others: RawResponse[] = [];
    const { peakMiB } = await measured.usageOf(async () => {
      const floods = Promise.all(Array.from({ length: 20 }, () => flood(headers())));
      others = await Promise.all(Array.from({ length: 10 }, () => send(functionId, measured, {})));
      statuses = await floods;
    });

    expect(new Set(others.map((other) => other.status))).toEqual(new Set([404]));
    expect(new Set(statuses)).toEqual(new Set([status]));
    expect(peakMiB).toBeLessThan(MAX_PEAK_MIB_OF_MANY);
  });

  test('80 of 1 MiB with too many values are refused', async () => {
    const body = `{"weeklySlots":{"Monday":[${filled('{}')}]}}`;
    let statuses: number[] = [];
    const { peakMiB } = await measured.usageOf(async () => {
      const answers = Array.from({ length: 80 }, () => send(functionId, measured, { body }));
      statuses = (await Promise.all(answers)).map(({ status }) => status);
    });

    expect(new Set(statuses)).toEqual(new Set([400]));
    expect(peakMiB).toBeLessThan(MAX_PEAK_MIB_OF_MANY);
  });
});
