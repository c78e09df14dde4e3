import { deployedFaults, responseFaults } from './deployed.ts';
import type { CloudFunction } from './resources.ts';

const OLD = '2026-11-20T12:00:00Z';

function stored(id: string, changes: object = {}): CloudFunction {
  return {
    name: `projects/p/locations/europe-west1/functions/${id}`,
    state: 'ACTIVE',
    updateTime: '2026-11-21T12:00:00Z',
    labels: { 'firebase-functions-hash': 'new' },
    serviceConfig: {},
    ...changes,
  } as unknown as CloudFunction;
}

const others = { labels: { 'firebase-functions-hash': 'other' } };
const secretEnvironmentVariables = [{ key: 'PAYMENT_KEY' }];

test.each<[string, CloudFunction[], string[]]>([
  ['functions of the same source', [stored('flash-reorder'), stored('artists-list')], []],
  [
    'a function of an older source',
    [stored('flash-reorder'), stored('artists-list', { ...others, updateTime: OLD })],
    [`artists-list was deployed at ${OLD}, from an older source.`],
  ],
  [
    'a function with secrets, which are in its hash',
    [
      stored('flash-reorder'),
      stored('artists-list', { ...others, serviceConfig: { secretEnvironmentVariables } }),
    ],
    [],
  ],
  [
    'a missing function and an inactive one',
    [stored('artists-list', { state: 'FAILED' })],
    ['flash-reorder is not deployed.', 'artists-list is FAILED.'],
  ],
])('looks for %s', (_what, functions, faults) => {
  expect(deployedFaults(functions, ['flash-reorder', 'artists-list'])).toEqual(faults);
});

test.each<[number, string | null, string[]]>([
  [404, 'id', []],
  [503, 'id', ['artists-list returned 503.']],
  [403, null, ['The response of artists-list (403) is not from this service.']],
])(
  'of a response with status %d and the request id %s it reports %j',
  (status, requestId, faults) => {
    expect(responseFaults('artists-list', status, requestId)).toEqual(faults);
  },
);
