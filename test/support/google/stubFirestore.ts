import { setImmediate } from 'node:timers/promises';
import { RequestContext } from '@tattoo-marketplace/endpoints';
import {
  respondJson,
  startStubServer,
  type Responder,
  type StubServer,
  type RecordedRequest,
} from './stubServer.ts';

const PROJECT = 'demo-stub';
const DOCUMENTS_ROOT = `projects/${PROJECT}/databases/(default)/documents`;

/** Fields in the format of Firestore's REST API. */
type Fields = Readonly<Record<string, object | undefined>>;

/** Starts a stub of Firestore for the tests of one file. */
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
    // Wait for requests that were sent just before a deadline.
    for (let turn = 0; turn < 5; turn += 1) await setImmediate();
  });

  afterAll(() => server?.stop());

  return {
    /** Sets the responses to the next calls, in order. The last response repeats. */
    setResponses: (...responders: readonly Responder[]) => server?.setResponses(...responders),
    /** The calls since `setResponses`. */
    get requests(): readonly RecordedRequest[] {
      return server?.requests ?? [];
    },
    /** Runs work as part of a request, whose deadline is later than the end of any test. */
    runInRequest: <Result>(work: () => Promise<Result>, context = new RequestContext()) =>
      context.run(30_000, work),
  };
}

/** Returns the full name of a document. */
export function toDocumentName(path: string): string {
  return `${DOCUMENTS_ROOT}/${path}`;
}

/** Responds to a read of documents by path with their fields. Undefined fields are those of a missing document. */
export function respondBatchGet(
  documents: Readonly<Record<string, Fields | undefined>>,
  versions: Readonly<Record<string, { createTime?: string; updateTime?: string }>> = {},
) {
  return respondJson(
    Object.entries(documents).map(([path, fields]) => {
      const version = { createTime: 'zero', updateTime: 'one', ...versions[path] };
      return fields === undefined
        ? { missing: toDocumentName(path) }
        : { found: { name: toDocumentName(path), fields, ...version } };
    }),
  );
}

/** Responds to a query with these documents. */
export function respondQuery(documents: Readonly<Record<string, Fields>>) {
  const elements = Object.entries(documents).map(([path, fields]) => ({
    document: { name: toDocumentName(path), fields, updateTime: 'one' },
    readTime: 'now',
  }));
  return respondJson([...elements, { readTime: 'now' }]);
}

/** Responds to a count. */
export function respondCount(total: number) {
  return respondJson([{ result: { aggregateFields: { count: { integerValue: String(total) } } } }]);
}

/** Responds to a commit that succeeds. `writes` is the number of its writes. */
export function respondCommit(writes = 1) {
  return respondJson({ writeResults: Array.from({ length: writes }, () => ({})) });
}

/** Responds with an error. */
export function respondError(status: string, httpStatus = 400) {
  return respondJson({ error: { status } }, httpStatus);
}

/** Parses the method of a call: `batchGet`, `runQuery`, `runAggregationQuery` or `commit`. */
export function parseMethod(path = ''): string {
  return /:(\w+)\?/.exec(path)?.[1] ?? '';
}

/** Responds to calls by method. */
export function respondByMethod(responders: Readonly<Record<string, Responder>>): Responder {
  return (response, request) => responders[parseMethod(request.url)]?.(response, request);
}
