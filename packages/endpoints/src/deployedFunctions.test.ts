import { DOC_PLACEHOLDERS } from '../../../test/support/processes/servedEndpoint.ts';
import { Success } from './schemas/responses.ts';
import { defineEndpoint } from './defineEndpoint.ts';
import { listFunctions } from './deployedFunctions.ts';
import { unknownPath } from './unknownPath.ts';

function declareAt(path: `/${string}`) {
  return defineEndpoint({
    ...DOC_PLACEHOLDERS,
    method: 'PUT',
    path,
    access: 'public',
    response: Success,
    handle: () => Promise.resolve({ success: true }),
  });
}

const endpoint = declareAt('/flash/reorder');
const trigger = Object.assign(() => undefined, { __endpoint: {} });

test('lists endpoints in groups, and other functions at any level', () => {
  const map = {
    nightly: trigger,
    unknownPath,
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
    unknownPathId: 'unknownPath',
    otherFunctionIds: ['nightly', 'flash-count', 'flash-admin-repair'],
  });
});

test.each([
  { path: 'reorder', map: { reorder: endpoint } },
  { path: 'flash.admin.reorder', map: { flash: { admin: { reorder: endpoint } } } },
])('rejects the endpoint $path, which is not a property of a group', ({ path, map }) => {
  expect(() => listFunctions(map)).toThrow(
    `index.ts must export ${path} as a property of a group, for example: export const flash = { reorder }.`,
  );
});

test('rejects two endpoints with the same path', () => {
  expect(() => listFunctions({ flash: { reorder: endpoint, place: endpoint } })).toThrow(
    'flash.reorder and flash.place have the same path /flash/reorder. Hosting routes by path only: give flash.place another path.',
  );
});

test.each([
  {
    name: 'the same operation ID',
    map: { flash: { listNew: endpoint }, flashList: { new: declareAt('/flash/new') } },
    message:
      'flash.listNew and flashList.new have the same operation ID flashListNew, apart from case. Give flashList.new another name.',
  },
  {
    name: 'names that differ only in case',
    map: { flash: { reorder: endpoint, reOrder: declareAt('/flash/re-order') } },
    message:
      'flash.reorder and flash.reOrder have the same operation ID flashReOrder, apart from case.',
  },
])('rejects two endpoints with $name', ({ map, message }) => {
  expect(() => listFunctions(map)).toThrow(message);
});
