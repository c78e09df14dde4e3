import { setImmediate } from 'node:timers/promises';
import { RequestContext } from '@tattoo-marketplace/endpoints';
import {
  respondJson,
  startStubServer,
  type Responder,
  type StubServer,
  type RecordedRequest,
} from './stubServer.ts';

const PROJECT = 'demo-scripted';
const ROOT = `projects/${PROJECT}/databases/(default)/documents`;

/** Fields as Firestore's REST API has them. */
type Fields = Readonly<Record<string, object | undefined>>;

/** A Firestore that responds by a script, for the tests of one file. */
export function useStubFirestore() {
  let server: StubServer | undefined;

  beforeAll(async () => {
    server = await startStubServer();
    Object.assign(process.env, {
      FIRESTORE_EMULATOR_HOST: server.address,
      GCLOUD_PROJECT: PROJECT,
    });
  });

  afterEach(async () => {
    // A request that was sent just before a deadline still arrives.
    for (let turn = 0; turn < 5; turn += 1) await setImmediate();
  });

  afterAll(() => server?.stop());

  return {
    /** Sets the responses to the next calls, in order. The last one repeats. */
    setResponses: (...reactions: readonly Responder[]) => server?.setResponses(...reactions),
    /** The calls since then. */
    get requests(): readonly RecordedRequest[] {
      return server?.requests ?? [];
    },
    /** Does work as part of a request, within far longer than any test takes. */
    runInRequest: <Result>(work: () => Promise<Result>, context = new RequestContext()) =>
      context.run(30_000, work),
  };
}

/** The full name of a document. */
export function toDocumentName(path: string): string {
  return `${ROOT}/${path}`;
}

/** The response to a read of documents by path: their fields, or undefined for one that does not exist. */
export function respondBatchGet(
  stored: Readonly<Record<string, Fields | undefined>>,
  versions: Readonly<Record<string, { createTime?: string; updateTime?: string }>> = {},
) {
  return respondJson(
    Object.entries(stored).map(([path, fields]) => {
      const version = { createTime: 'zero', updateTime: 'one', ...versions[path] };
      return fields === undefined
        ? { missing: toDocumentName(path) }
        : { found: { name: toDocumentName(path), fields, ...version } };
    }),
  );
}

/** The response to a query that finds these documents. */
export function respondQuery(stored: Readonly<Record<string, Fields>>) {
  const elements = Object.entries(stored).map(([path, fields]) => ({
    document: { name: toDocumentName(path), fields, updateTime: 'one' },
    readTime: 'now',
  }));
  return respondJson([...elements, { readTime: 'now' }]);
}

/** The response to a count. */
export function respondCount(total: number) {
  return respondJson([{ result: { aggregateFields: { count: { integerValue: String(total) } } } }]);
}

/** The response to a successful commit of so many writes. */
export function respondCommit(writes = 1) {
  return respondJson({ writeResults: Array.from({ length: writes }, () => ({})) });
}

/** The response to a call that fails. */
export function respondError(status: string, httpStatus = 400) {
  return respondJson({ error: { status } }, httpStatus);
}

/** The kind of a call: `batchGet`, `runQuery`, `runAggregationQuery` or `commit`. */
export function parseMethod(path = ''): string {
  return /:(\w+)\?/.exec(path)?.[1] ?? '';
}

/** Responds to each kind of call in its own way. */
export function respondByMethod(reactions: Readonly<Record<string, Responder>>): Responder {
  return (response, request) => reactions[parseMethod(request.url)]?.(response, request);
}
