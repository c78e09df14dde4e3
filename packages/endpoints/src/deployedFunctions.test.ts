import { DOC_PLACEHOLDERS } from '../../../dev/testing/servedEndpoint.ts';
import { Success } from './schemas/responses.ts';
import { defineEndpoint as declare } from './defineEndpoint.ts';
import { listFunctions } from './deployedFunctions.ts';

const endpoint = declare({
  ...DOC_PLACEHOLDERS,
  method: 'PUT',
  path: '/flash/reorder',
  access: 'public',
  response: Success,
  handle: () => Promise.resolve({ success: true }),
});
const trigger = Object.assign(() => undefined, { __endpoint: {} });

test('endpoints are found in groups, and other functions wherever the CLI finds them', () => {
  const map = {
    nightly: trigger,
    flash: { reorder: endpoint, count: trigger, helper: () => 7, admin: { repair: trigger } },
    REGION: 'us-central1',
  };

  expect(listFunctions(map)).toEqual({
    endpoints: [
      {
        group: 'flash',
        name: 'reorder',
        endpoint,
        functionId: 'flash-reorder',
        operationId: 'flashReorder',
      },
    ],
    otherFunctionIds: ['nightly', 'flash-count', 'flash-admin-repair'],
  });
});

test.each([
  ['reorder', { reorder: endpoint }],
  ['flash.admin.reorder', { flash: { admin: { reorder: endpoint } } }],
])('rejects the endpoint %s: it is not a property of a group', (path, map) => {
  expect(() => listFunctions(map)).toThrow(
    `index.ts must export ${path} as a property of a group, for example: export const flash = { reorder }.`,
  );
});

test('rejects two endpoints with the same path', () => {
  expect(() => listFunctions({ flash: { reorder: endpoint, place: endpoint } })).toThrow(
    'flash.reorder and flash.place have the same path /flash/reorder. Hosting routes by path only: give flash.place another path.',
  );
});
