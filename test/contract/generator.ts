/** Random histories: what is stored at first, and what a few people then do, up to four at once. */
import fc, { type Arbitrary } from 'fast-check';
import type { FaultKind, InjectedFault } from '../../dev/fakeGoogle/faultInjector.ts';
import { mostly } from './arbitraries.ts';
import { ENTRIES, RESOURCES } from './contract.ts';
import type { Call, Scene, Sent, Stored } from './rules.ts';

export type History = readonly Round[];

export interface Round {
  /** What is stored first. */
  readonly first?: PlannedCall | undefined;
  /** What happens then at once. */
  readonly actions: readonly PlannedCall[];
  readonly faults: readonly Fault[];
}

export interface PlannedCall {
  readonly call: Call;
  /** Whether it continues the page of the list that was read last. */
  readonly continues?: boolean;
  readonly waitMs?: number;
}

/** A fault of calls to Firestore. */
export type Fault = Omit<InjectedFault, 'host' | 'contains'>;

/** A write of the documents with these paths. One time in so many, one of them is deleted instead. */
function storingAll(stored: Stored, freq = 20, waitMs: Arbitrary<number> = fc.constant(0)) {
  const data = Object.entries(stored).map(
    ([path, document]) => [path, fc.option(document, { freq })] as const,
  );
  const written = fc.record(Object.fromEntries(data));
  const call = written.map((documents): Call => ({
    functionId: 'others',
    caller: 'another program',
    written: documents,
  }));
  return fc.record({ call, waitMs });
}

/** Mostly Alice, so that ownership often changes while its owner calls. Dave has no profile. */
const caller = mostly(['~alice', '~alice', '~alice', '~bob'], ['~carol', '~dave', undefined]);

function calling(functionId: string, send: Arbitrary<Sent>): Arbitrary<PlannedCall> {
  const call = fc.tuple(send, caller).map(([sent, uid]) => ({ functionId, caller: uid, ...sent }));
  return fc.record({ call, continues: fc.boolean() }) as Arbitrary<PlannedCall>;
}

// Faults, before and after Firestore has executed a call.

const FAULTS: readonly FaultKind[] = [
  ...(['delayed', 'delayed', 'hang', 'disconnect', 'disconnect', 'status', 'status'] as const),
  ...(['truncate', 'trailing error', 'hang after execution', 'hang after execution'] as const),
  ...([
    'disconnect after execution',
    'disconnect after execution',
    'status after execution',
  ] as const),
];
const READS = ['batchGet', 'runQuery', 'runAggregationQuery'];
const fault: Arbitrary<Fault> = fc.record({
  call: fc.constantFrom(...READS, 'commit', 'commit', 'commit', 'commit'),
  kind: fc.constantFrom(...FAULTS),
  // 520 stands for UNKNOWN.
  status: fc.constantFrom(499, 500, 503, 504, 520),
  times: fc.constantFrom(1, 1, 2, 2, 20),
});

/** Histories of calls of these functions, and of direct writes of what they need. */
function historiesOf(
  scenes: readonly (readonly [functionId: string, scene: Scene])[],
  faults: number,
): Arbitrary<History> {
  // A commit in doubt is sent again after a while.
  const waitMs = fc.nat({ max: faults === 0 ? 4 : 100 });
  const stored: Stored = Object.fromEntries(
    scenes.flatMap(([, scene]) => Object.entries(scene.stored)),
  );
  const write = fc
    .constantFrom(...Object.entries(stored))
    .chain(([path, document]) => storingAll({ [path]: document }, 2, waitMs));
  const calls = scenes.map(([functionId, { send }]) => calling(functionId, send));
  const round = fc.record({
    first: fc.option(storingAll(stored), { freq: 2, nil: undefined }),
    actions: fc.array(fc.oneof(write, ...calls), { minLength: 1, maxLength: 4 }),
    faults: fc.array(fault, { maxLength: faults }),
  });
  return fc.array(round, { minLength: 2, maxLength: 8 });
}

/**
 * Some of the histories call all functions, or all of a resource. The others call one all the time, so that calls meet at
 * the same documents. Up to so many faults strike at once.
 */
export function histories(faults = 0): Arbitrary<History> {
  const entries = [...ENTRIES];
  const alone = entries.map(([functionId, entry]) => ({
    weight: entry.often ?? 1,
    arbitrary: historiesOf([[functionId, entry]], faults),
  }));
  const apart = entries.flatMap(([functionId, { apart: scenes = [] }]) =>
    scenes.map((scene) => historiesOf([[functionId, scene]], faults)),
  );
  return fc.oneof(
    { weight: 4, arbitrary: historiesOf(entries, faults) },
    { weight: 4, arbitrary: fc.oneof(...RESOURCES.map((each) => historiesOf([...each], faults))) },
    { weight: 10, arbitrary: fc.oneof(...alone) },
    { weight: 2, arbitrary: fc.oneof(...apart) },
  );
}
