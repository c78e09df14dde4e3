import { chooseRevisions } from './revisions.ts';

const services = [
  {
    service: 'services/flash-reorder',
    revisions: [
      { name: 'revisions/reorder-2', createTime: '2026-11-20T10:00:00Z' },
      { name: 'revisions/reorder-3', createTime: '2026-11-28T10:00:00Z' },
      { name: 'revisions/reorder-1', createTime: '2026-11-01T10:00:00Z' },
    ],
  },
  {
    service: 'services/artists-list',
    revisions: [
      { name: 'revisions/list-2', createTime: '2026-11-20T10:00:00Z' },
      { name: 'revisions/list-1', createTime: '2026-11-01T10:00:00Z' },
    ],
  },
  {
    service: 'services/unknownpath',
    revisions: [{ name: 'revisions/path-1', createTime: '2026-11-28T10:05:00Z' }],
  },
];

test('each service that the last deploy changed returns to the revision before', () => {
  expect(chooseRevisions(services, { latest: false })).toEqual([
    { service: 'services/flash-reorder', revision: 'reorder-2' },
    { service: 'services/artists-list', reason: 'the last deploy did not change it' },
    { service: 'services/unknownpath', reason: 'it has no former revision' },
  ]);
});

test('a revision that did not start is skipped', () => {
  const [service] = services.map(({ service, revisions }) => ({
    service,
    revisions: revisions.map((revision) => {
      const state = revision.name.endsWith('2') ? 'CONDITION_FAILED' : 'CONDITION_SUCCEEDED';
      return { ...revision, conditions: [{ type: 'Ready', state }] };
    }),
  }));

  expect(service && chooseRevisions([service], { latest: false })).toEqual([
    { service: 'services/flash-reorder', revision: 'reorder-1' },
  ]);
});

test('all services return to the latest revision', () => {
  expect(chooseRevisions(services, { latest: true })).toEqual(
    services.map(({ service }) => ({ service })),
  );
});
