import { deployedFaults, responseFaults, type DeployedFunction } from './deployed.ts';

const NEW = '2026-11-21T12:00:00Z';
const OLD = '2026-11-20T12:00:00Z';

function stored(id: string, changes: Partial<DeployedFunction> = {}): DeployedFunction {
  const name = `projects/p/locations/europe-west1/functions/${id}`;
  const labels = { 'firebase-functions-hash': 'new' };
  return { name, state: 'ACTIVE', updateTime: NEW, labels, ...changes };
}

const ids = ['flash-reorder', 'artists-list'];
const old = { updateTime: OLD, labels: { 'firebase-functions-hash': 'old' } };

test.each<[string, DeployedFunction[], Date | undefined, string[]]>([
  ['functions that are all of the same source', ids.map((id) => stored(id)), undefined, []],
  [
    'a function of an older source',
    [stored('flash-reorder'), stored('artists-list', old)],
    undefined,
    [`artists-list was deployed at ${OLD}, from an older source.`],
  ],
  [
    'functions that have not changed since the deploy began',
    ids.map((id) => stored(id, old)),
    new Date(NEW),
    ids.map((id) => `${id} was last changed at ${OLD}.`),
  ],
  [
    'a missing function and an inactive one',
    [stored('artists-list', { state: 'FAILED' })],
    undefined,
    ['flash-reorder is not deployed.', 'artists-list is FAILED.'],
  ],
])('looks for %s', (_what, functions, since, faults) => {
  expect(deployedFaults(functions, { ids, ...(since && { since }) })).toEqual(faults);
});

test.each<[number, string | null, string[]]>([
  [404, 'id', []],
  [503, 'id', ['artists-list returned 503.']],
  [403, null, ['The response of artists-list (403) is not from this service.']],
])('reports for status %d and request id %s: %j', (status, requestId, faults) => {
  expect(responseFaults('artists-list', status, requestId)).toEqual(faults);
});
