import { shownLine } from './logLines.ts';
import { ROOT } from './root.ts';

/** The output of the emulators for one request. */
const PRINTED = [
  '>  {"severity":"INFO","message":"OPTIONS /artists 204","httpRequest":{"status":204},"requestId":"id-0","latencyMs":1}',
  '[hosting] Rewriting /api/artists to http://127.0.0.1:5001/demo-tattoo/us-central1/artists-list for local Function us-central1/artists-list',
  'i  functions: Beginning execution of "us-central1-artists-list"',
  '>  {"severity":"INFO","message":"GET /artists 200","httpRequest":{"status":200},"requestId":"id-1","latencyMs":26.119,"firestoreReads":13,"firestoreWrites":0}',
  'i  functions: Finished "us-central1-artists-list" in 30.687509ms',
  'i  hosting: 127.0.0.1 - - [21/Nov/2026:13:05:58 +0000] "GET /api/artists HTTP/1.1" 200 19343 "-" "node"',
  '',
];

test('one line is shown per request', () => {
  expect(PRINTED.map(shownLine).filter((line) => line !== undefined)).toEqual([
    'GET /artists 200  26 ms  13 reads  0 writes  id-1',
  ]);
});

test('an exception is shown as its message and the lines of the source', () => {
  const message = [
    'TypeError: planet is undefined',
    `    at handle (${ROOT}/functions/src/artists/list.ts:29:56)`,
    '    at process.processTicksAndRejections (node:internal/process/task_queues:104:5)',
    `    at async jsonBody (${ROOT}/functions/src/http/response.ts:58:35)`,
    `    at async <anonymous> (${ROOT}/node_modules/firebase-functions/lib/esm/https.mjs:600:4)`,
  ].join('\n');
  const entry = { '@type': 'ReportedErrorEvent', requestId: 'id-1', severity: 'ERROR', message };

  expect(shownLine(`>  ${JSON.stringify(entry)}`)?.split('\n')).toEqual([
    'ERROR  TypeError: planet is undefined',
    '    at handle (functions/src/artists/list.ts:29:56)',
    '    at async jsonBody (functions/src/http/response.ts:58:35)',
  ]);
});

test.each([
  ['>  {"severity":"WARNING","message":"2 wrong values"}', 'WARNING  2 wrong values'],
  [
    '>  {"severity":"WARNING","message":"1 wrong value","examples":[{"document":"flash/a","field":"price.amount"}]}',
    'WARNING  1 wrong value\n    flash/a: price.amount',
  ],
  [
    '>  {"severity":"INFO","message":"PUT /flash 403","httpRequest":{"status":403},"requestId":"id-1","latencyMs":1,"refusal":"id is not yours."}',
    'PUT /flash 403  1 ms  0 reads  0 writes  id-1  id is not yours.',
  ],
  ...['⚠  functions: Your function was killed', '>  console.log', '>  {no JSON}'].map((line) => [
    line,
    line,
  ]),
])('%s is shown as %s', (line, shown) => {
  expect(shownLine(line)).toBe(shown);
});
