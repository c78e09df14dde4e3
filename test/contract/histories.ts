/** Generates histories: an initial state, then steps of up to four operations that are sent at once. */
import fc, { type Arbitrary } from 'fast-check';
import { getEndpoint } from '../../functions/service.ts';
import type { FaultKind, InjectedFault } from '../../dev/fakeGoogle/faultInjector.ts';
import { MODELS } from './contract.ts';
import { generateRequests } from './generators.ts';
import type { EndpointModel, Operation, Writes } from './model.ts';

export interface History {
  readonly initial: Writes;
  /** Operations that are sent at once: only reads, or only writes. */
  readonly steps: readonly { operations: readonly Operation[]; faults: readonly Fault[] }[];
}

/** A fault of calls to Firestore. */
export type Fault = Omit<InjectedFault, 'host' | 'contains'>;

// Faults, before and after Firestore has executed a call.
// prettier-ignore
const KINDS: readonly FaultKind[] = [
  'delayed', 'hang', 'disconnect', 'status', 'truncate', 'trailing error', 'hang after execution',
  'disconnect after execution', 'disconnect after execution', 'status after execution', 
];
const READS = ['batchGet', 'runQuery', 'runAggregationQuery'];
const fault: Arbitrary<Fault> = fc.record({
  call: fc.oneof(fc.constantFrom(...READS), fc.constant('commit'), fc.constant('commit')),
  kind: fc.constantFrom(...KINDS),
  // 520 stands for UNKNOWN.
  status: fc.constantFrom(499, 500, 503, 504, 520),
  times: fc.constantFrom(1, 1, 2, 2, 20),
});

/** How many documents most histories have for each endpoint. */
const FEW = 8;
type Models = readonly (readonly [functionId: string, model: EndpointModel])[];

/** Histories of requests to some endpoints, and of other programs' direct writes of the documents that these need. */
function generateModelHistories(models: Models, maxFaults: number): Arbitrary<History> {
  const { reads = [], writes = [] } = Object.groupBy(models, ([functionId]) =>
    getEndpoint(functionId).endpoint.declaration.method === 'GET' ? 'reads' : 'writes',
  );
  const directWrites = models.map(([, model]) => generateDirectWrites(model, maxFaults));
  const writing = [...writes.map((each) => generateRequests(...each)), fc.oneof(...directWrites)];
  const reading = reads.length === 0 ? writing : reads.map((each) => generateRequests(...each));
  const operations = [reading, writing].map((all) => generateOperations(fc.oneof(...all)));
  const faults = fc.array(fault, { maxLength: maxFaults });
  const step = fc.record({ operations: fc.oneof(...operations), faults });
  // Later effects of an operation with an unknown outcome are not modeled.
  const steps = fc.array(step, { minLength: 1, maxLength: maxFaults > 0 ? 1 : 6 });
  const [few, all] = [generateInitialState(models, FEW), generateInitialState(models, Infinity)];
  return fc.record({ initial: fc.oneof(few, few, few, all), steps });
}

/** One to four operations. One time in three the first one is sent twice. */
function generateOperations(operation: Arbitrary<Operation>): Arbitrary<Operation[]> {
  const repeated = fc.tuple(fc.array(operation, { minLength: 1, maxLength: 3 }), fc.nat(2));
  return repeated.map(([all, isOnce]) => (isOnce ? all : [...all.slice(0, 1), ...all]));
}

/** The first documents of each endpoint, so many at most. One in twenty is missing. */
function generateInitialState(models: Models, size: number): Arbitrary<Writes> {
  const documents = models.flatMap(([, model]) => Object.entries(model.documents).slice(0, size));
  const orNull = documents.map(([path, data]) => [path, fc.option(data, { freq: 20 })] as const);
  return fc.record(Object.fromEntries(orNull));
}

/** Another program stores or deletes a document, often one that requests name, or gives it to another owner. */
function generateDirectWrites(
  { documents }: EndpointModel,
  maxFaults: number,
): Arbitrary<Operation> {
  const toBob = (data: object) =>
    JSON.parse(JSON.stringify(data).replaceAll('~alice', '~bob')) as Writes[string];
  const writes = Object.entries(documents)
    .slice(0, FEW)
    .map(([path, data]) =>
      fc.record({ [path]: fc.oneof(data, data.map(toBob), fc.constant(null)) }),
    );
  return fc.record({
    writes: fc.oneof(...writes.slice(0, 1), fc.oneof(...writes)),
    // A commit with an unknown outcome is sent again after a while.
    waitMs: fc.nat(maxFaults > 0 ? 400 : 4),
  });
}

/** Some histories mix endpoints. The others repeat one, so that operations contend for the same documents. */
export function generateHistories(maxFaults = 0): Arbitrary<History> {
  const all = [...MODELS];
  const resources = Map.groupBy(all, ([functionId]) => functionId.replace(/-.*/, '')).values();
  const single = all.map((model) => [model]);
  const groups = [[all], [...resources], single, single, single].map((group) =>
    fc.oneof(...group.map((models) => generateModelHistories(models, maxFaults))),
  );
  return fc.oneof(...groups);
}
