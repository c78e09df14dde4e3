/**
 * `npm run bench [-- --out FILE] [--quick]`: how fast and how cheap the service is, each figure beside those that it is
 * to be compared with, measured in turns in one run.
 */
import autocannon from 'autocannon';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { arch, cpus, platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { Firestore } from 'firebase-admin/firestore';
import { connectToControl, type Control } from '../emulator/firestore/control.ts';
import { startEmbeddedFirestore } from '../emulator/firestore/server.ts';
import { startGoogle, type Google } from '../emulator/google/google.ts';
import { LOOPBACK } from '../emulator/ports.ts';
import { deployedEndpoints } from '../support/deployMap.ts';
import {
  exampleRequest,
  storeExampleWorld,
  type ExampleWorld,
} from '../support/exampleRequests.ts';
import { storedArtist } from '../support/factories.ts';
import { makeContenders, type Contender, type Contenders } from './contenders.ts';
import { figureOf, printTable, Progress, shown, type Figure } from './figures.ts';
import { ask, memoryOf, processorTimeOf, serve, type Served } from './serving.ts';

const { values: flags } = parseArgs({
  options: { out: { type: 'string' }, quick: { type: 'boolean', default: false } },
});
const COLD_ROUNDS = flags.quick ? 3 : 15;
const WARM_ROUNDS = flags.quick ? 1 : 5;
const WARM_SECONDS = 1;
const CONNECTIONS = 10;

const PROJECT = 'demo-bench';
const WORLD = { uid: 'artist-alice', prefix: 'things', size: 20 } as const;
const COLD = 'flash-listByArtist';
const LIMITS = { USER_REQUESTS_PER_MINUTE: '1000000', ADDRESS_REQUESTS_PER_MINUTE: '1000000' };

interface Goal {
  readonly name: string;
  readonly value: number;
  readonly goal: string;
  readonly met: boolean;
}

const goals: Goal[] = [];
const figures: Record<string, unknown> = {};

function aim(name: string, value: number, bound: number, kind: 'at most' | 'at least'): void {
  const met = kind === 'at most' ? value <= bound : value >= bound;
  goals.push({ name, value: Math.round(value * 1000) / 1000, goal: `${kind} ${bound}`, met });
}

/** The environment of what asks the stand-in: a certificate to trust would be read by all, at a tenth of a second. */
function environmentOf(google: Google): Record<string, string> {
  const environment = Object.entries(google.environment).filter(
    ([name]) => name !== 'NODE_EXTRA_CA_CERTS',
  );
  return {
    ...Object.fromEntries(environment),
    ...LIMITS,
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
    NODE_NO_WARNINGS: '1',
  };
}

async function bench(): Promise<void> {
  const writes = deployedEndpoints.length;
  const progress = new Progress(1 + COLD_ROUNDS + 1 + writes + 4);
  progress.step('building, packing and installing what is measured');
  const contenders = await makeContenders();
  const embedded = await startEmbeddedFirestore();
  const firestore = new Firestore({ projectId: PROJECT, host: embedded.address, ssl: false });
  const control = connectToControl(embedded.address);
  const address = { projectId: PROJECT, firestoreAddress: embedded.address };
  const [replaying, google] = [
    await startGoogle({ ...address, replays: true }),
    await startGoogle(address),
  ];
  try {
    await storeExampleWorld(firestore, WORLD);
    await measureCold(contenders, replaying, embedded.address, progress);
    await measureStart(contenders, replaying, embedded.address, progress);
    await measureWarm(contenders, replaying, progress);
    await measureCost(contenders, google, firestore, control, progress);
    await measureArtists(contenders, google, firestore, control, progress);
  } finally {
    await replaying.stop();
    await google.stop();
    control.close();
    await firestore.terminate();
    await embedded.stop();
    await contenders.remove();
  }
}

/** From the start of a process to its first 200, which has read Firestore. */
async function measureCold(
  { service, constant, sparedConstant, usual }: Contenders,
  google: Google,
  firestoreAddress: string,
  progress: Progress,
): Promise<void> {
  const environment = environmentOf(google);
  const rivals: Record<string, { contender: Contender; env: Record<string, string> }> = {
    'the bare framework, a constant (the floor)': { contender: constant, env: environment },
    'the service, as deployed': { contender: service, env: environment },
    // Without TLS and credentials: the stand-in speaks no gRPC. That is in its favour.
    'the floor, spared the search for its kind (.cjs)': {
      contender: sparedConstant,
      env: environment,
    },
    'the usual way, gRPC without TLS': {
      contender: usual,
      env: { ...LIMITS, FIRESTORE_EMULATOR_HOST: firestoreAddress, GCLOUD_PROJECT: PROJECT },
    },
  };
  const measured = new Map(Object.keys(rivals).map((name) => [name, [] as number[]]));
  for (let round = 0; round < COLD_ROUNDS; round += 1) {
    progress.step(`cold start, round ${round + 1}`);
    for (const [name, { contender, env }] of Object.entries(rivals)) {
      const served = await serve(contender, COLD, env, example(google, COLD));
      measured.get(name)?.push(served.coldMs);
      await served.stop();
    }
  }
  const [floor, own, , others] = [...measured.values()].map(figureOf) as [
    Figure,
    Figure,
    Figure,
    Figure,
  ];
  printTable('Cold start: process spawn to the first 200, ms', [
    ['contender', 'median (quartiles)', 'to the floor', 'to the usual way'],
    ...[...measured].map(([name, ms]) => [
      name,
      shown(figureOf(ms)),
      (figureOf(ms).median / floor.median).toFixed(2),
      (figureOf(ms).median / others.median).toFixed(2),
    ]),
  ]);
  figures.cold = Object.fromEntries([...measured].map(([name, ms]) => [name, figureOf(ms)]));
  aim('cold start, to the usual way', own.median / others.median, 0.6, 'at most');
  aim('cold start, to the floor', own.median / floor.median, 2, 'at most');
}

/** What a start asks of the file system, which no noise changes, the size of what is loaded, and memory at rest. */
async function measureStart(
  contenders: Contenders,
  google: Google,
  firestoreAddress: string,
  progress: Progress,
): Promise<void> {
  progress.step('start-up work');
  const rivals: [string, Contender, Record<string, string>][] = [
    ['the bare framework', contenders.sparedConstant, environmentOf(google)],
    ['the service', contenders.service, environmentOf(google)],
    [
      'the usual way',
      contenders.usual,
      { FIRESTORE_EMULATOR_HOST: firestoreAddress, GCLOUD_PROJECT: PROJECT },
    ],
  ];
  const rows: string[][] = [];
  let floor = 0;
  for (const [name, contender, env] of rivals) {
    const calls = await fileCalls(contender, env, google);
    if (name === 'the bare framework') floor = calls ?? 0;
    const served = await serve(contender, COLD, env, example(google, COLD));
    const memory = await memoryOf(served.pid);
    await served.stop();
    const beyond = calls === undefined ? 'not measured' : String(calls - floor);
    rows.push([name, beyond, memory === undefined ? 'not measured' : memory.now.toFixed(0)]);
    figures[`start of ${name}`] = {
      fileCallsBeyondTheFramework: calls === undefined ? null : calls - floor,
      restMiB: memory?.now,
    };
  }
  printTable('Start-up work', [
    [
      'contender',
      'file system calls beyond the framework’s',
      'memory after the first request, MiB',
    ],
    ...rows,
  ]);
  console.log(`\nUploaded: ${contenders.uploadBytes} bytes.`);
  figures.uploadBytes = contenders.uploadBytes;
}

/** How often a start asks the file system, counted by strace where there is one. */
async function fileCalls(
  contender: Contender,
  env: Record<string, string>,
  google: Google,
): Promise<number | undefined> {
  try {
    await promisify(execFile)('strace', ['-V']);
  } catch {
    return undefined;
  }
  const folder = await mkdtemp(join(tmpdir(), 'strace-'));
  const log = join(folder, 'log');
  const under = ['strace', '-f', '-qq', '-e', 'trace=%file,read', '-o', log];
  const served = await serve(contender, COLD, env, example(google, COLD), under);
  await served.stop();
  const lines = (await readFile(log, 'utf8')).split('\n');
  await rm(folder, { recursive: true });
  return lines.filter((line) =>
    /\b(open|openat|stat|statx|newfstatat|lstat|access|readlink|readlinkat)\(/.test(line),
  ).length;
}

/** Requests a second and latency, endpoint by endpoint, beside the floor and the Express app. */
async function measureWarm(
  { service, floor, express }: Contenders,
  google: Google,
  progress: Progress,
): Promise<void> {
  const rivals: [string, Contender][] = [
    ['service', service],
    ['floor', floor],
    ['express', express],
  ];
  const rows: string[][] = [];
  const ratios: { isRead: boolean; toFloor: number; toExpress: number }[] = [];
  for (const { functionId, endpoint } of deployedEndpoints) {
    progress.step(`warm ${functionId}`);
    const served: [string, Served][] = [];
    for (const [name, contender] of rivals) {
      served.push([
        name,
        await serve(contender, functionId, environmentOf(google), example(google, functionId)),
      ]);
    }
    const rounds: Record<string, Load[]> = {};
    for (const [, one] of served) await load(one, google, functionId, 1);
    for (let round = 0; round < WARM_ROUNDS; round += 1) {
      // Each goes first as often as the others.
      for (let turn = 0; turn < served.length; turn += 1) {
        const entry = served[(round + turn) % served.length];
        if (entry === undefined) continue;
        const [name, one] = entry;
        (rounds[name] ??= []).push(await load(one, google, functionId, WARM_SECONDS));
      }
    }
    const memory = await memoryOf(served[0]?.[1].pid ?? 0);
    for (const [, one] of served) await one.stop();
    const of = (name: string, what: keyof Load) =>
      figureOf((rounds[name] ?? []).map((one) => one[what]));
    const ratio = (name: string) =>
      figureOf(
        (rounds.service ?? []).map(
          (one, index) => one.perSecond / (rounds[name]?.[index]?.perSecond ?? NaN),
        ),
      ).median;
    ratios.push({
      isRead: endpoint.declaration.method === 'GET',
      toFloor: ratio('floor'),
      toExpress: ratio('express'),
    });
    rows.push([
      functionId,
      shown(of('service', 'perSecond')),
      of('floor', 'perSecond').median.toFixed(0),
      of('express', 'perSecond').median.toFixed(0),
      ratio('floor').toFixed(2),
      ratio('express').toFixed(2),
      `${of('service', 'p50').median} / ${of('service', 'p99').median}`,
      `${of('floor', 'p50').median} / ${of('floor', 'p99').median}`,
      ['service', 'floor', 'express']
        .map((name) => of(name, 'processorMs').median.toFixed(2))
        .join(' / '),
      memory?.peak.toFixed(0) ?? 'not measured',
    ]);
    figures[`warm ${functionId}`] = Object.fromEntries(
      rivals.map(([name]) => [
        name,
        {
          perSecond: of(name, 'perSecond'),
          p50: of(name, 'p50'),
          p99: of(name, 'p99'),
          processorMs: of(name, 'processorMs'),
        },
      ]),
    );
  }
  printTable('Warm: requests a second (median and quartiles)', [
    [
      'endpoint',
      'service',
      'floor',
      'Express',
      'to floor',
      'to Express',
      'p50 / p99 ms',
      'floor’s',
      'CPU ms a request: service / floor / Express',
      'peak MiB',
    ],
    ...rows,
  ]);
  const reads = ratios.filter(({ isRead }) => isRead);
  const writes = ratios.filter(({ isRead }) => !isRead);
  const lowest = (list: typeof ratios, what: 'toFloor' | 'toExpress') =>
    Math.min(...list.map((one) => one[what]));
  aim('warm reads, the lowest to the floor', lowest(reads, 'toFloor'), 0.9, 'at least');
  aim('warm writes, the lowest to the floor', lowest(writes, 'toFloor'), 0.95, 'at least');
  aim('warm, the lowest to the Express app', lowest(ratios, 'toExpress'), 1, 'at least');
}

interface Load {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly processorMs: number;
}

async function load(
  served: Served,
  google: Google,
  functionId: string,
  seconds: number,
): Promise<Load> {
  const { method, path, headers, body } = example(google, functionId);
  const before = await processorTimeOf(served.pid);
  const result = await autocannon({
    url: `http://${LOOPBACK}:${served.port}${path}`,
    method: method as 'GET',
    headers,
    ...(body !== undefined && { body }),
    connections: CONNECTIONS,
    duration: seconds,
    // In a thread of its own: this one stands in for Google.
    workers: 1,
  });
  const after = await processorTimeOf(served.pid);
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${functionId}: ${result.non2xx} answers were not 200.`);
  return {
    perSecond: result.requests.total / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    processorMs: ((after ?? NaN) - (before ?? NaN)) / result.requests.total,
  };
}

/** What requests of several sizes cost, beside what they must. */
async function measureCost(
  { service }: Contenders,
  google: Google,
  firestore: Firestore,
  control: Control,
  progress: Progress,
): Promise<void> {
  progress.step('cost of pages and of lists of ids');
  const large: ExampleWorld = { uid: 'artist-large', prefix: 'large', size: 1100 };
  await storeExampleWorld(firestore, large);
  const rows: string[][] = [];
  let beyond = 0;
  const measure = async (
    functionId: string,
    what: string,
    world: ExampleWorld,
    query: Record<string, string>,
    least: string,
  ) => {
    const request = exampleRequest(functionId, world, google.tokenOf(world.uid), query);
    const before = await control.usage(PROJECT);
    const one = await serve(
      service,
      functionId,
      { ...environmentOf(google), PUBLIC_CACHE_SECONDS: '0' },
      request,
    );
    await one.stop();
    const after = await control.usage(PROJECT);
    const calls = Object.entries(after.calls)
      .map(([name, count]) => [name, count - (before.calls[name] ?? 0)] as const)
      .filter(([, count]) => count > 0);
    const cost = `${after.reads - before.reads} / ${after.writes - before.writes} / ${after.deletes - before.deletes}`;
    if (cost !== least) beyond += 1;
    rows.push([
      functionId,
      what,
      cost,
      least,
      calls.map(([name, count]) => `${name} ${count}`).join(', '),
    ]);
  };
  for (const functionId of ['flash-listByArtist', 'gallery-listByArtist']) {
    for (const limit of [1, 20, 50]) {
      await measure(
        functionId,
        `first page of ${limit}`,
        large,
        { limit: String(limit) },
        `${limit + 2} / 0 / 0`,
      );
      await measure(
        functionId,
        `page of ${limit} at depth 1000`,
        large,
        { limit: String(limit), cursor: 'large-999' },
        `${limit + 4} / 0 / 0`,
      );
    }
  }
  for (const limit of [1, 20, 50]) {
    await measure(
      'conversations-getMessages',
      `first page of ${limit}`,
      large,
      { limit: String(limit) },
      `${limit + 2} / 0 / 0`,
    );
  }
  for (const functionId of ['flash-markAsAvailable', 'flash-reorder', 'gallery-removePhotos']) {
    for (const size of [1, 100, 500]) {
      const world = { uid: 'artist-large', prefix: `${functionId}-${size}`, size };
      await storeExampleWorld(firestore, world);
      const least = functionId.startsWith('gallery')
        ? `${size} / 0 / ${size}`
        : `${size} / ${size} / 0`;
      await measure(functionId, `${size} ids`, world, {}, least);
    }
  }
  for (const functionId of [
    'availability-updateAvailability',
    'bookings-deleteSession',
    'unavailableEvents-editUnavailableEvent',
  ]) {
    await measure(functionId, 'one document', WORLD, {}, '1 / 1 / 0');
  }
  await measure('notifications-resetNewNotifications', 'one document', WORLD, {}, '0 / 1 / 0');
  printTable('Cost: documents read / written / deleted, as billed', [
    ['endpoint', 'request', 'cost', 'lower bound', 'calls'],
    ...rows,
  ]);
  figures.cost = rows;
  aim('requests that cost more than their lower bound', beyond, 0, 'at most');
}

/** The list of all artists, when there are 10, 1000 and 10 000 of them. */
async function measureArtists(
  { service }: Contenders,
  google: Google,
  firestore: Firestore,
  control: Control,
  progress: Progress,
): Promise<void> {
  const rows: string[][] = [];
  let stored = 0;
  for (const count of [10, 1000, 10_000]) {
    progress.step(`the list of ${count} artists`);
    const writer = firestore.bulkWriter({ throttling: false });
    for (; stored < count; stored += 1) {
      void writer.set(
        firestore.doc(`users/artist-${String(stored).padStart(6, '0')}`),
        storedArtist(),
      );
    }
    await writer.close();
    const request = example(google, 'artists-list');
    const before = await control.usage(PROJECT);
    const served = await serve(
      service,
      'artists-list',
      { ...environmentOf(google), PUBLIC_CACHE_SECONDS: '3600', DEADLINE_SECONDS: '30' },
      request,
    );
    const after = await control.usage(PROJECT);
    const reads = after.reads - before.reads;
    const times: number[] = [];
    for (let turn = 0; turn < 20; turn += 1) {
      const began = performance.now();
      await ask(served.port, request);
      times.push(performance.now() - began);
    }
    const later = await control.usage(PROJECT);
    const memory = await memoryOf(served.pid);
    await served.stop();
    const kept = later.reads - after.reads;
    rows.push([
      String(count),
      served.coldMs.toFixed(0),
      String(reads),
      shown(figureOf(times), 1),
      String(kept),
      memory?.peak.toFixed(0) ?? 'not measured',
    ]);
    if (count === 10_000)
      aim('reads of 20 calls of GET /artists at 10 000 artists', kept, 0, 'at most');
  }
  printTable('GET /artists', [
    [
      'artists',
      'first answer from a cold start, ms',
      'its reads',
      'later answers, ms',
      'reads of 20 of them',
      'peak MiB',
    ],
    ...rows,
  ]);
  figures.artists = rows;
}

function example(google: Google, functionId: string) {
  return exampleRequest(functionId, WORLD, google.tokenOf(WORLD.uid));
}

const machine = `${cpus().length} x ${cpus()[0]?.model.trim() ?? 'processor'}, ${platform()} ${arch()}, Node ${process.version}`;
console.log(`${new Date().toISOString().slice(0, 10)}, ${machine}`);
await bench();
printTable('Goals', [
  ['goal', 'value', 'to be', 'met'],
  ...goals.map(({ name, value, goal, met }) => [name, String(value), goal, met ? 'yes' : 'NO']),
]);
if (flags.out !== undefined) {
  await writeFile(
    flags.out,
    `${JSON.stringify({ date: new Date().toISOString(), machine, figures, goals }, null, 2)}\n`,
  );
}
process.exit();
