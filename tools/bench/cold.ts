/** Instances that are new: their first response, and what the next 2000 requests take. */
import { optionsFor, restore, type Bench, type Measured } from './bench.ts';
import { figureOf, ratioOf } from './figures.ts';
import { projectWithArtists } from './fixtures.ts';
import type { Program } from './programs.ts';
import type { Cell } from './report.ts';
import { memoryOf, processorTimeOf, serve } from './serving.ts';

const PAGE: Measured = { functionId: 'flash-listByArtist', query: { limit: '20' } };
const MARK: Measured = { functionId: 'flash-markAsAvailable', size: 3 };
const ARTISTS: Measured = {
  functionId: 'artists-list',
  parameters: { GCLOUD_PROJECT: projectWithArtists(10) },
};

/** From process spawn to the first 200. All but the bare framework have called Firestore by then. */
export async function measureCold(bench: Bench): Promise<void> {
  const { quick, report, programs, replaying } = bench;
  const { bare, service, sdkRest, sdkGrpc, express } = programs;
  const starters: Readonly<Record<string, readonly [Program, Measured]>> = {
    'the bare framework (.cjs)': [bare, PAGE],
    'the service, a page': [service, PAGE],
    'the service, mark-as-available': [service, MARK],
    'the service, 10 artists': [service, ARTISTS],
    'a bare handler on the SDK over REST, a page': [sdkRest, PAGE],
    'a bare handler on the SDK over gRPC, a page': [sdkGrpc, PAGE],
    'Express by hand, a page': [express, PAGE],
  };
  const ms = new Map(Object.keys(starters).map((name) => [name, [] as number[]]));
  const memory = new Map(Object.keys(starters).map((name) => [name, [] as number[]]));
  await restore(bench);
  const rounds = quick ? 2 : 15;
  // The first start of each is not counted: its files and the simulation's responses are not cached yet.
  for (let round = -1; round < rounds; round += 1) {
    report.step(`cold start, round ${Math.max(0, round) + 1} of ${rounds}`);
    for (const [name, [program, measured]] of Object.entries(starters)) {
      // The bare framework calls nothing.
      const options = optionsFor(measured, program, bench, program === bare ? {} : replaying);
      const served = await serve(program, measured.functionId, options);
      const { now } = await memoryOf(served.pid);
      await served.stop();
      if (round < 0) continue;
      ms.get(name)?.push(served.coldMs);
      memory.get(name)?.push(now);
    }
  }
  const [bareMs = []] = ms.values();
  const toBare = (name: string) => ratioOf(ms.get(name) ?? [], bareMs);
  report.table(
    'Cold start',
    'From the start of the process to its first 200, in ms, and its memory then, in MiB.',
    ['program', 'ms', 'to the bare framework', 'memory'],
    Object.keys(starters).map((name) => [
      ...[name, figureOf(ms.get(name) ?? [], 0), toBare(name)],
      figureOf(memory.get(name) ?? [], 0),
    ]),
  );
  for (const name of Object.keys(starters).filter((each) => each.startsWith('the service'))) {
    report.aim(`cold start of ${name}, to the bare framework`, toBare(name), 1.5);
    report.aim(`memory of ${name}, fresh, MiB`, figureOf(memory.get(name) ?? [], 0), 90);
  }
  report.aim('upload, unpacked, MB', figureOf([programs.uploadBytes / 1e6]), 1.6);
}

/** The last request of each stage in the life of an instance; the first request is the cold start. */
const STAGES = [10, 100, 500, 2000];

/** The processor time of a page from the second request of an instance on, one after the other. */
export async function measureYoung(bench: Bench): Promise<void> {
  const { quick, report, programs, replaying } = bench;
  const contest = { 'the service': programs.service, 'Express by hand': programs.express };
  const rows: Cell[][] = [];
  for (const [name, program] of Object.entries(contest)) {
    report.step(`the first ${STAGES.at(-1)} requests of ${name}`);
    const stages = STAGES.map((): number[] => []);
    for (let round = 0; round < (quick ? 1 : 3); round += 1) {
      const options = optionsFor(PAGE, program, bench, replaying);
      const { port, pid, stop } = await serve(program, PAGE.functionId, options);
      let from = 1;
      for (const [index, to] of STAGES.entries()) {
        const before = await processorTimeOf(pid);
        const requests = to - from;
        await bench.load({ port, examples: [options.example], callers: 1, requests });
        stages[index]?.push(((await processorTimeOf(pid)) - before) / requests);
        from = to;
      }
      await stop();
    }
    rows.push([name, ...stages.map((values) => figureOf(values))]);
  }
  report.table(
    'The first requests of an instance',
    'Processor time of an uncached page of 20 after the cold start, in ms; one caller.',
    ['program', '2 to 10', '11 to 100', '101 to 500', '501 to 2000'],
    rows,
  );
}
