/** How calls to Firestore handle failures, tested with a server that fails as scripted. */
import { getEventListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { commit, count, find, getDocuments } from '../../functions/src/firestore/documents.ts';
import { currentContext, RequestContext } from '../../functions/src/platform/requestContext.ts';
import {
  respondsWith,
  respondsWithText,
  breaksOff,
  hangs,
  resets,
  startScriptedServer,
  type Reaction,
  type ScriptedServer,
} from '../support/scriptedServer.ts';

const PROJECT = 'demo-client';
const ROOT = `projects/${PROJECT}/databases/(default)/documents`;
const TIME = '2026-01-01T00:00:00.000001Z';

let server: ScriptedServer;

beforeAll(async () => {
  server = await startScriptedServer();
  Object.assign(process.env, { FIRESTORE_EMULATOR_HOST: server.address, GCLOUD_PROJECT: PROJECT });
});

afterAll(() => server.stop());

afterEach(async () => {
  // A request that was sent just before a deadline still arrives.
  for (let turn = 0; turn < 5; turn += 1) await setImmediate();
});

/** Runs work as part of a request with this deadline, in ms. */
async function within<Result>(
  ms: number,
  work: () => Promise<Result>,
  context = new RequestContext(),
): Promise<Result> {
  return context.run(ms, work);
}

/** Long enough for all retries of a test on any machine. */
const LONG_MS = 30_000;

function document(id: string, fields: object = {}) {
  return { name: `${ROOT}/things/${id}`, fields, createTime: TIME, updateTime: TIME };
}

const query = { collection: 'things', where: {}, select: ['a'] };
const A_AND_B = [
  { document: document('a'), readTime: TIME },
  { document: document('b'), readTime: TIME },
];
const ERROR = { error: { code: 503, message: 'secret', status: 'UNAVAILABLE' } };

async function findIds(ms = LONG_MS): Promise<string[]> {
  return (await within(ms, () => find(query, 10))).map(({ id }) => id);
}

/** Incomplete responses of all kinds. */
const BROKEN: readonly (readonly [string, Reaction])[] = [
  ['a reset connection', resets],
  ['a truncated body', breaksOff(JSON.stringify(A_AND_B).slice(0, -30))],
  [
    'a truncated list with a matching Content-Length',
    respondsWithText(JSON.stringify(A_AND_B).slice(0, -30)),
  ],
  ['a list truncated after an element', respondsWithText(`[${JSON.stringify(A_AND_B[0])}`)],
  ['a list that ends with an error', respondsWith([...A_AND_B, ERROR])],
  ['a list that starts with an error', respondsWith([ERROR, ...A_AND_B])],
  ['an error with status 200', respondsWith(ERROR)],
  ['an empty list without a read time', respondsWith([])],
  ['an element without a read time', respondsWith([...A_AND_B, {}])],
  ['not a list', respondsWith({})],
  ['null', respondsWith(null)],
  ['a list with null', respondsWith([null])],
  [
    'a document of another shape',
    respondsWith([
      { document: null, readTime: TIME },
      { document: { name: 7 }, readTime: TIME },
    ]),
  ],
  ['204', respondsWithText('', 204)],
  ['302', respondsWithText('', 302)],
  ['nothing', respondsWithText('')],
  ['a page of HTML with status 200', respondsWithText('<html>')],
  ['a page of HTML from a proxy', respondsWithText('<html>Bad gateway</html>', 502)],
  ['429', respondsWith({ error: { code: 429, status: 'RESOURCE_EXHAUSTED' } }, 429)],
  ['500', respondsWith({ error: { code: 500, status: 'INTERNAL' } }, 500)],
  ['503', respondsWith([ERROR], 503)],
  ['504', respondsWith({ error: { code: 504, status: 'DEADLINE_EXCEEDED' } }, 504)],
  ['409', respondsWith({ error: { code: 409, status: 'ABORTED' } }, 409)],
];

describe('a list', () => {
  test.each(BROKEN)('is read again after %s, and then complete', async (_what, reaction) => {
    server.play(reaction, reaction, respondsWith(A_AND_B));

    expect(await findIds()).toEqual(['a', 'b']);
    expect(server.seen).toHaveLength(3);
  });

  test.each(BROKEN)(
    'fails with unavailable at the deadline if every response is %s',
    async (_what, reaction) => {
      server.play(reaction);

      await expect(findIds(200)).rejects.toMatchObject({ code: 'unavailable' });
    },
  );

  test('fails with unavailable at the deadline if there is no response', async () => {
    server.play(hangs);

    await expect(findIds(200)).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('leaves no listener behind at the deadline’s signal', async () => {
    server.play(resets, respondsWith(A_AND_B));
    const context = new RequestContext();

    await within(LONG_MS, () => find(query, 10), context);

    expect(server.seen).toHaveLength(2);
    expect(getEventListeners(context.signal, 'abort')).toEqual([]);
  });

  test('says in its error that the connection failed, for the log', async () => {
    server.play(resets);

    const failure = within(200, () =>
      find(query, 10).catch((error: unknown) => (error as Error).cause),
    );

    expect(await failure).toMatchObject({ message: 'UNAVAILABLE: The connection failed.' });
  });

  test('sends no request after the deadline', async () => {
    server.play(respondsWith(A_AND_B));
    const { promise: ended, resolve: done } = Promise.withResolvers();

    const late = within(1, async () => {
      while (!currentContext().signal.aborted) await setImmediate();
      return find(query, 10).finally(() => {
        done(undefined);
      });
    });

    await expect(late).rejects.toMatchObject({ code: 'unavailable' });
    await ended;
    expect(server.seen).toEqual([]);
  });

  test.each([
    ['a read time', { readTime: TIME }],
    ['the note that it is the last one', { done: true }],
  ])('can be empty but for %s', async (_what, element) => {
    server.play(respondsWith([element]));

    expect(await findIds()).toEqual([]);
  });

  test.each([
    ['permission denied', 403, 'PERMISSION_DENIED'],
    ['a bad request', 400, 'INVALID_ARGUMENT'],
    ['no such database', 404, 'NOT_FOUND'],
  ])('fails at once for %s', async (_what, code, status) => {
    server.play(respondsWith([{ error: { code, status, message: 'why' } }], code));

    await expect(findIds()).rejects.toMatchObject({ status });
    expect(server.seen).toHaveLength(1);
  });

  test('sends a valid request with the required headers', async () => {
    server.play(respondsWith(A_AND_B));
    const [last] = await within(LONG_MS, () => find(query, 1));
    server.play(respondsWith([{ readTime: TIME }]));

    await within(LONG_MS, () =>
      find(
        {
          collection: 'people/ü %/things',
          where: { artistId: 'alice', isVisible: true },
          orderBy: 'order',
          descending: true,
          select: ['a', 'b'],
        },
        7,
        last && { ...last, fields: { order: { integerValue: '3' } } },
      ),
    );

    const equal = (fieldPath: string, value: object) => ({
      fieldFilter: { field: { fieldPath }, op: 'EQUAL', value },
    });
    expect(server.seen).toMatchObject([
      {
        path: `/v1/${ROOT}/people/%C3%BC%20%25:runQuery?prettyPrint=false`,
        headers: {
          authorization: 'Bearer owner',
          'content-type': 'application/json',
          'x-goog-request-params': `project_id=${PROJECT}&database_id=(default)`,
        },
        body: {
          structuredQuery: {
            select: { fields: [{ fieldPath: 'a' }, { fieldPath: 'b' }] },
            from: [{ collectionId: 'things' }],
            where: {
              compositeFilter: {
                op: 'AND',
                filters: [
                  equal('artistId', { stringValue: 'alice' }),
                  equal('isVisible', { booleanValue: true }),
                ],
              },
            },
            orderBy: [
              { field: { fieldPath: 'order' }, direction: 'DESCENDING' },
              { field: { fieldPath: '__name__' }, direction: 'DESCENDING' },
            ],
            startAt: {
              values: [{ integerValue: '3' }, { referenceValue: `${ROOT}/things/a` }],
              before: false,
            },
            limit: 7,
          },
        },
      },
    ]);
  });
});

describe('documents', () => {
  const found = { found: document('a'), readTime: TIME };
  const missing = { missing: `${ROOT}/things/b`, readTime: TIME };

  test('are returned in the order of the request, in whatever order they arrive', async () => {
    server.play(respondsWith([missing, found]));

    const documents = await within(LONG_MS, () => getDocuments(['things/a', 'things/b'], ['x']));

    expect(documents.map((read) => read?.path)).toEqual(['things/a', undefined]);
    expect(server.seen).toMatchObject([
      {
        path: `/v1/${ROOT}:batchGet?prettyPrint=false`,
        body: {
          documents: [`${ROOT}/things/a`, `${ROOT}/things/b`],
          mask: { fieldPaths: ['x'] },
        },
      },
    ]);
  });

  test.each([
    ['one is neither found nor missing', respondsWith([found])],
    ['the response is empty', respondsWith([])],
    ['the list ends with an error', respondsWith([found, missing, ERROR])],
  ])('are requested again if %s', async (_what, reaction) => {
    server.play(reaction, respondsWith([found, missing]));

    const documents = await within(LONG_MS, () => getDocuments(['things/a', 'things/b'], ['x']));

    expect(documents).toHaveLength(2);
    expect(server.seen).toHaveLength(2);
  });
});

describe('a count', () => {
  const counted = (digits: string) => [
    { result: { aggregateFields: { count: { integerValue: digits } } }, readTime: TIME },
  ];

  test('costs one read per 1000, and at least one', async () => {
    const context = new RequestContext();
    const { usage } = context;
    for (const [digits, reads] of [
      ['0', 1],
      ['1000', 1],
      ['1001', 2],
    ] as const) {
      server.play(respondsWith(counted(digits)));
      const before = usage.reads;
      expect(await within(LONG_MS, () => count(query), context)).toBe(Number(digits));
      expect(usage.reads - before).toBe(reads);
    }
  });

  test.each([
    ['has no result', respondsWith([{ readTime: TIME }])],
    ['ends with an error', respondsWith([...counted('7'), ERROR])],
  ])('is requested again if the response %s', async (_what, reaction) => {
    server.play(reaction, respondsWith(counted('7')));

    expect(await within(LONG_MS, () => count(query))).toBe(7);
  });
});

describe('a commit', () => {
  const stored = { id: 'a', path: 'things/a', fields: {}, createTime: TIME, updateTime: TIME };
  const write = { delete: stored };
  const done = respondsWith({ writeResults: [{ updateTime: TIME }], commitTime: TIME });
  const refused = (code: number, status: string, message = 'why') =>
    respondsWith({ error: { code, status, message } }, code);

  test('is sent once, with its precondition', async () => {
    server.play(done);

    expect(await within(LONG_MS, () => commit([write]))).toBe('done');

    expect(server.seen).toMatchObject([
      {
        path: `/v1/${ROOT}:commit?prettyPrint=false`,
        body: {
          writes: [{ delete: `${ROOT}/things/a`, currentDocument: { updateTime: TIME } }],
        },
      },
    ]);
  });

  test.each([
    ['another version is stored', refused(400, 'FAILED_PRECONDITION'), 'failed'],
    ['others write the same', refused(409, 'ABORTED'), 'failed'],
    ['too much is written', refused(429, 'RESOURCE_EXHAUSTED'), 'failed'],
    ['the document was deleted', refused(404, 'NOT_FOUND'), 'failed'],
    ['the connection is reset', resets, 'unknown'],
    ['the response is truncated', breaksOff('{'), 'unknown'],
    ['the response is not JSON', respondsWithText('<html>'), 'unknown'],
    ['the response lacks a result', respondsWith({ commitTime: TIME }), 'unknown'],
    ['the response is null', respondsWith(null), 'unknown'],
    ['an error is truncated', respondsWithText('{"error": {"code": 400, "sta', 400), 'unknown'],
    ['the response is empty', respondsWithText('', 204), 'unknown'],
    ['the response leads elsewhere', respondsWithText('', 302), 'unknown'],
    ['a proxy fails', respondsWithText('<html>', 502), 'unknown'],
    ['Firestore is unavailable', refused(503, 'UNAVAILABLE'), 'unknown'],
    ['Firestore aborts the call', refused(504, 'DEADLINE_EXCEEDED'), 'unknown'],
    ['Firestore fails', refused(500, 'INTERNAL'), 'unknown'],
  ])('is not blindly repeated if %s', async (_what, reaction, outcome) => {
    server.play(reaction);

    expect(await within(LONG_MS, () => commit([write]))).toBe(outcome);

    expect(server.seen).toHaveLength(1);
  });

  test.each([
    ['is bad', refused(400, 'INVALID_ARGUMENT')],
    ['is not allowed', refused(403, 'PERMISSION_DENIED')],
  ])('that %s fails', async (_what, reaction) => {
    server.play(reaction);

    await expect(within(LONG_MS, () => commit([write]))).rejects.toThrow();
  });

  test('preserves the sign of a negative zero', async () => {
    server.play(done);
    const zero = { update: stored, changes: { x: { doubleValue: -0 } } };

    await within(LONG_MS, () => commit([zero]));

    const [sent] = server.seen as unknown as [
      { body: { writes: [{ update: { fields: { x: { doubleValue: number } } } }] } },
    ];
    expect(sent.body.writes[0].update.fields.x.doubleValue).toBe(-0);
  });
});
