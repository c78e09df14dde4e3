/** Generates histories: an initial state, then steps of up to four operations that are sent at once. */
import fc, { type Arbitrary } from 'fast-check';
import { getEndpoint } from '../../functions/service.ts';
import type { FaultKind, InjectedFault } from '../support/google/faultInjector.ts';
import { MODELS } from './contract.ts';
import { generateRequests } from './generators.ts';
import type { Documents, ModelEntry, HistoryOperation, Writes } from './endpointModel.ts';

export interface History {
  readonly initial: Writes;
  readonly steps: readonly Step[];
}

/** Operations that are sent at once, only reads or only writes, while faults are injected. */
type Step = Readonly<{ operations: readonly HistoryOperation[]; faults: readonly Fault[] }>;

/** A fault of calls to Firestore. */
export type Fault = Omit<InjectedFault, 'host' | 'contains'>;

// prettier-ignore
const FAULT_KINDS: readonly FaultKind[] = [
  'delayed', 'hang', 'disconnect', 'status', 'truncate', 'trailing error', 'hang after execution',
  'disconnect after execution', 'disconnect after execution', 'status after execution', 'status after execution',
];
const READ_CALLS = ['batchGet', 'runQuery', 'runAggregationQuery'];
const fault: Arbitrary<Fault> = fc.record({
  call: fc.oneof(fc.constantFrom(...READ_CALLS), fc.constant('commit'), fc.constant('commit')),
  kind: fc.constantFrom(...FAULT_KINDS),
  // 520 stands for UNKNOWN.
  status: fc.constantFrom(499, 500, 500, 500, 503, 504, 520),
  times: fc.constantFrom(1, 1, 2, 2, 20),
});

/** Most histories have at most so many documents for each endpoint. */
const USUAL_DOCUMENTS = 8;
type Models = readonly ModelEntry[];

/** Creates a generator of histories of requests to some endpoints, and of direct writes of their documents by other programs. */
function generateModelHistories(models: Models, maxFaults: number): Arbitrary<History> {
  const { reads = [], writes = [] } = Object.groupBy(models, ([functionId]) =>
    getEndpoint(functionId).endpoint.declaration.method === 'GET' ? 'reads' : 'writes',
  );
  const directWrites = models.map(([, model]) => generateDirectWrites(model.documents, maxFaults));
  const writing = fc.oneof(...writes.map(generateRequests), fc.oneof(...directWrites));
  const reading = reads.length === 0 ? writing : fc.oneof(...reads.map(generateRequests));
  const operations = [reading, writing].map(generateOperations);
  const faults = fc.array(fault, { maxLength: maxFaults });
  const step = fc.record({ operations: fc.oneof(...operations), faults });
  // Later effects of an operation with an unknown outcome are not modeled.
  const steps = fc.array(step, { minLength: 1, maxLength: maxFaults > 0 ? 1 : 6 });
  const usual = generateInitialState(models, USUAL_DOCUMENTS);
  const complete = generateInitialState(models, Infinity);
  return fc.record({ initial: fc.oneof({ weight: 3, arbitrary: usual }, complete), steps });
}

/** Creates a generator of one to four operations. One time in three, the first operation is sent twice. */
function generateOperations(operation: Arbitrary<HistoryOperation>): Arbitrary<HistoryOperation[]> {
  const operations = fc.array(operation, { minLength: 1, maxLength: 3 });
  const repeated = operations.map((all) => [...all.slice(0, 1), ...all]);
  return fc.oneof({ weight: 2, arbitrary: operations }, repeated);
}

/** Creates a generator of the first documents of each endpoint, up to a count. One in twenty is missing. */
function generateInitialState(models: Models, count: number): Arbitrary<Writes> {
  const documents = models.flatMap(([, model]) => Object.entries(model.documents).slice(0, count));
  const orNull = documents.map(([path, data]) => [path, fc.option(data, { freq: 20 })] as const);
  return fc.record(Object.fromEntries(orNull));
}

/** Creates a generator of direct writes: another program stores or deletes a document, or changes its owner. */
function generateDirectWrites(
  documents: Documents,
  maxFaults: number,
): Arbitrary<HistoryOperation> {
  const giveToBob = (data: object) =>
    JSON.parse(JSON.stringify(data).replaceAll('~alice', '~bob')) as Writes[string];
  const writes = Object.entries(documents)
    .slice(0, USUAL_DOCUMENTS)
    .map(([path, data]) =>
      fc.record({ [path]: fc.oneof(data, data.map(giveToBob), fc.constant(null)) }),
    );
  return fc.record({
    writes: fc.oneof(...writes.slice(0, 1), fc.oneof(...writes)),
    // The service resends a commit with an unknown outcome after a while.
    waitMs: fc.nat(maxFaults > 0 ? 400 : 4),
  });
}

/** Creates a generator of histories of all endpoints, or of one resource, or often of one endpoint, whose operations contend for documents. */
export function generateHistories(maxFaults = 0): Arbitrary<History> {
  const models = [...MODELS];
  const byResource = Map.groupBy(models, ([functionId]) => functionId.replace(/-.*/, ''));
  const byEndpoint = models.map((model) => [model]);
  const generate = (groups: readonly Models[]) =>
    fc.oneof(...groups.map((group) => generateModelHistories(group, maxFaults)));
  const endpointHistories = { weight: 3, arbitrary: generate(byEndpoint) };
  return fc.oneof(generate([models]), generate([...byResource.values()]), endpointHistories);
}
