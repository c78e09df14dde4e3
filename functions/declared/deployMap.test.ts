import { deployedEndpoint, functionsIn } from './deployMap.ts';

const { endpoint } = deployedEndpoint('flash-reorder');
const trigger = Object.assign(() => undefined, { __endpoint: {} });

test('endpoints are found in groups, and other functions wherever the CLI finds them', () => {
  const map = {
    nightly: trigger,
    flash: { reorder: endpoint, count: trigger, helper: () => 7, admin: { repair: trigger } },
    REGION: 'us-central1',
  };

  expect(functionsIn(map)).toEqual({
    endpoints: [
      {
        ...{ group: 'flash', name: 'reorder', endpoint },
        ...{ functionId: 'flash-reorder', operationId: 'flashReorder' },
      },
    ],
    others: ['nightly', 'flash-count', 'flash-admin-repair'],
  });
});

test.each([
  ['reorder', { reorder: endpoint }],
  ['flash.admin.reorder', { flash: { admin: { reorder: endpoint } } }],
])('the endpoint %s, which tags and the client could not name, is refused', (path, map) => {
  expect(() => functionsIn(map)).toThrow(
    `functions/src/index.ts must export ${path} as a member of a group, as in export const flash = { reorder }.`,
  );
});
