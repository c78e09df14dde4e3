import { deployedFaults, responseFaults, type DeployedFunction } from './deployed.ts';

const NEW = '2026-11-21T12:00:00Z';
const OLD = '2026-11-20T12:00:00Z';

function stored(id: string, changes: Partial<DeployedFunction> = {}): DeployedFunction {
  return {
    name: `projects/p/locations/europe-west1/functions/${id}`,
    state: 'ACTIVE',
    updateTime: NEW,
    labels: { 'firebase-functions-hash': 'new' },
    ...changes,
  };
}

const ids = ['flash-reorder', 'artists-list'];
const old = { updateTime: OLD, labels: { 'firebase-functions-hash': 'old' } };

test('accepts functions that are all of the same source', () => {
  expect(
    deployedFaults(
      ids.map((id) => stored(id)),
      { ids },
    ),
  ).toEqual([]);
});

test('finds a function of an older source', () => {
  expect(deployedFaults([stored('flash-reorder'), stored('artists-list', old)], { ids })).toEqual([
    `artists-list was deployed at ${OLD}, from an older source.`,
  ]);
});

test('finds that no function has changed since the deploy began', () => {
  const functions = ids.map((id) => stored(id, old));

  expect(deployedFaults(functions, { ids, since: new Date(NEW) })).toEqual(
    ids.map((id) => `${id} was last changed at ${OLD}.`),
  );
});

test('finds a missing function and an inactive one', () => {
  expect(deployedFaults([stored('artists-list', { state: 'FAILED' })], { ids })).toEqual([
    'flash-reorder is not deployed.',
    'artists-list is FAILED.',
  ]);
});

test.each<[number, string | null, string[]]>([
  [404, 'id', []],
  [401, 'id', []],
  [503, 'id', ['artists-list returned 503.']],
  [403, null, ['The response of artists-list (403) is not from this service.']],
])('reports for status %d and request id %s: %j', (status, requestId, faults) => {
  expect(responseFaults('artists-list', status, requestId)).toEqual(faults);
});
