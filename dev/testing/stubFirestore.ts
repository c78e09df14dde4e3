import { setImmediate } from 'node:timers/promises';
import { RequestContext } from '@tattoo-marketplace/endpoints';
import {
  respondsWith,
  startScriptedServer,
  type Reaction,
  type ScriptedServer,
  type SeenRequest,
} from './stubServer.ts';

const PROJECT = 'demo-scripted';
const ROOT = `projects/${PROJECT}/databases/(default)/documents`;

/** Fields as Firestore's REST API has them. */
type Fields = Readonly<Record<string, object | undefined>>;

/** A Firestore that responds by a script, for the tests of one file. */
export function scriptedFirestore() {
  let server: ScriptedServer | undefined;

  beforeAll(async () => {
    server = await startScriptedServer();
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
    play: (...reactions: readonly Reaction[]) => server?.play(...reactions),
    /** The calls since then. */
    get seen(): readonly SeenRequest[] {
      return server?.seen ?? [];
    },
    /** Does work as part of a request, within far longer than any test takes. */
    within: <Result>(work: () => Promise<Result>, context = new RequestContext()) =>
      context.run(30_000, work),
  };
}

/** The full name of a document. */
export function nameOf(path: string): string {
  return `${ROOT}/${path}`;
}

/** The response to a read of documents by path: their fields, or undefined for one that does not exist. */
export function documents(
  stored: Readonly<Record<string, Fields | undefined>>,
  versions: Readonly<Record<string, { createTime?: string; updateTime?: string }>> = {},
) {
  return respondsWith(
    Object.entries(stored).map(([path, fields]) => {
      const version = { createTime: 'zero', updateTime: 'one', ...versions[path] };
      return fields === undefined
        ? { missing: nameOf(path) }
        : { found: { name: nameOf(path), fields, ...version } };
    }),
  );
}

/** The response to a query that finds these documents. */
export function found(stored: Readonly<Record<string, Fields>>) {
  const elements = Object.entries(stored).map(([path, fields]) => ({
    document: { name: nameOf(path), fields, updateTime: 'one' },
    readTime: 'now',
  }));
  return respondsWith([...elements, { readTime: 'now' }]);
}

/** The response to a count. */
export function counted(total: number) {
  return respondsWith([
    { result: { aggregateFields: { count: { integerValue: String(total) } } } },
  ]);
}

/** The response to a successful commit of so many writes. */
export function committed(writes = 1) {
  return respondsWith({ writeResults: Array.from({ length: writes }, () => ({})) });
}

/** The response to a call that fails. */
export function refused(status: string, httpStatus = 400) {
  return respondsWith({ error: { status } }, httpStatus);
}

/** The kind of a call: `batchGet`, `runQuery`, `runAggregationQuery` or `commit`. */
export function kindOf(path = ''): string {
  return /:(\w+)\?/.exec(path)?.[1] ?? '';
}

/** Responds to each kind of call in its own way. */
export function byKind(reactions: Readonly<Record<string, Reaction>>): Reaction {
  return (response, request) => reactions[kindOf(request.url)]?.(response, request);
}
