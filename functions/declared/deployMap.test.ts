import { globSync, readFileSync } from 'node:fs';
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

test('two endpoints with one path, which Hosting could not tell apart, are refused', () => {
  expect(() => functionsIn({ flash: { reorder: endpoint, place: endpoint } })).toThrow(
    'flash.reorder has the path /flash/reorder too: Hosting cannot tell them apart by their methods. Change the path in functions/src/flash/place.ts.',
  );
});

test('functions/src/index.ts imports every endpoint', () => {
  const index = readFileSync('functions/src/index.ts', 'utf8');
  const files = globSync('*/*.ts', { cwd: 'functions/src' });
  const endpoints = files.filter((file) =>
    readFileSync(`functions/src/${file}`, 'utf8').includes('= endpoint({'),
  );

  expect(endpoints).not.toEqual([]);
  const forgotten = endpoints.filter((file) => !index.includes(`from './${file}'`));
  expect({ 'functions/src/index.ts must import and export': forgotten }).toEqual({
    'functions/src/index.ts must import and export': [],
  });
});
