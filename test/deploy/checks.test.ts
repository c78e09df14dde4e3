/** The checks of a deploy: each accepts what is right, and names each deliberate break. */
import {
  functionFaults,
  hostingFaults,
  indexFaults,
  packageFaults,
  PUBLISHED,
  rewriteFaults,
} from './checks.ts';
import type { CloudFunction } from './resources.ts';
import type { PlannedFunction } from './manifest.ts';

const PLANNED: PlannedFunction = {
  id: 'flash-reorder',
  entryPoint: 'flash.reorder',
  region: 'europe-west1',
  platform: 'gcfv2',
  runtime: 'nodejs24',
  availableMemoryMb: 512,
  cpu: 1,
  concurrency: 80,
  minInstances: 0,
  maxInstances: 20,
  timeoutSeconds: 60,
  httpsTrigger: { invoker: ['public'] },
};

const STORED: CloudFunction = {
  name: 'projects/p/locations/europe-west1/functions/flash-reorder',
  state: 'ACTIVE',
  updateTime: '2026-11-21T12:00:00Z',
  labels: {},
  buildConfig: {
    runtime: 'nodejs24',
    entryPoint: 'flash.reorder',
    environmentVariables: { GOOGLE_NODE_RUN_SCRIPTS: '' },
    source: { storageSource: { object: 'source.zip' } },
  },
  serviceConfig: {
    service: 'projects/p/locations/europe-west1/services/flash-reorder',
    uri: 'https://flash-reorder.example',
    availableMemory: '512Mi',
    availableCpu: '1',
    timeoutSeconds: 60,
    maxInstanceCount: 20,
    maxInstanceRequestConcurrency: 80,
    environmentVariables: { FUNCTION_TARGET: 'flash.reorder', MAX_INSTANCES: '20' },
  },
};

/** The faults of a deploy whose only function has these changes. */
function faultsOf(
  changes: Partial<CloudFunction>,
  service: Partial<CloudFunction['serviceConfig']> = {},
  invokers = ['allUsers'],
): string[] {
  const stored = { ...STORED, ...changes, serviceConfig: { ...STORED.serviceConfig, ...service } };
  const parameter = { name: 'MAX_INSTANCES', type: 'int', default: 20, description: '' };
  return functionFaults(
    [{ stored, invokers }],
    { functions: [PLANNED], parameters: [parameter] },
    { MAX_INSTANCES: '20' },
  );
}

test.each<[string, string[]]>([
  ['memory is 256Mi, not 512Mi', faultsOf({}, { availableMemory: '256Mi' })],
  ['concurrency is 1, not 80', faultsOf({}, { maxInstanceRequestConcurrency: 1 })],
  ['maximum instances is 100, not 20', faultsOf({}, { maxInstanceCount: 100 })],
  [
    'region is p, not europe-west1',
    faultsOf({ name: 'projects/p/locations/p/functions/flash-reorder' }),
  ],
  ['state is FAILED, not ACTIVE', faultsOf({ state: 'FAILED' })],
  ['invokers is , not allUsers', faultsOf({}, {}, [])],
  [
    'build scripts is undefined, not ',
    faultsOf({ buildConfig: { ...STORED.buildConfig, environmentVariables: {} } }),
  ],
  [
    'parameter MAX_INSTANCES is undefined, not 20',
    faultsOf({}, { environmentVariables: { FUNCTION_TARGET: 'flash.reorder' } }),
  ],
])('the check of functions finds: %s', (fault, found) => {
  expect(found).toEqual([`flash-reorder: ${fault}`]);
});

test('the check of functions finds missing and unexpected ones, and accepts one as declared', () => {
  expect(faultsOf({ name: STORED.name.replace('reorder', 'other') })).toEqual([
    'Function not expected: flash-other',
    'Function missing: flash-reorder',
  ]);
  expect(faultsOf({})).toEqual([]);
});

test('the check of rewrites finds those that lead nowhere, and services without one', () => {
  const run = { serviceId: 'flash-reorder', region: 'europe-west1' };
  const nowhere = 'The rewrite of /api/** leads nowhere: flash-reorder';

  expect(rewriteFaults([{ glob: '/api/**', run }], ['europe-west1/flash-reorder'])).toEqual([]);
  expect(rewriteFaults([{ glob: '/api/**', function: 'flash-reorder' }], [])).toEqual([nowhere]);
  expect(rewriteFaults([{ glob: '/api/**', run }], ['us-central1/flash-reorder'])).toEqual([
    nowhere,
    'No rewrite leads to us-central1/flash-reorder',
  ]);
});

test('the check of Hosting finds unexpected files, pages without a strict policy, and passwords', () => {
  const headers = { 'Content-Security-Policy': "default-src 'none'" };
  const config = { headers: [{ glob: '**', headers }] };
  const files = new Map(PUBLISHED.map((path) => [path, 'hash']));
  const contentOf = (path: string) => (path === '/openapi.json' ? 'the secret' : '');
  const pages = { headers: [{ glob: '/demo/**', headers }] };

  expect(hostingFaults({ files, config }, contentOf, ['password'])).toEqual([]);
  expect(hostingFaults({ files, config }, contentOf, ['secret'])).toEqual([
    '/openapi.json contains a password of the demo',
  ]);
  expect(
    hostingFaults({ files: new Map([...files, ['/x.js', '']]), config }, contentOf, []),
  ).toEqual(['Published file not expected: /x.js']);
  expect(hostingFaults({ files, config: pages }, contentOf, [])).toEqual([
    '/index.html has no strict Content-Security-Policy',
    '/ has no strict Content-Security-Policy',
  ]);
});

test('the check of the package finds packages that are not bundled, and unneeded dependencies', () => {
  const dependencies = { '@google-cloud/functions-framework': '5.0.5' };
  const bundle = 'require("node:fs"); require("crypto"); require("./x")';

  expect(packageFaults({ dependencies }, bundle)).toEqual([]);
  expect(
    packageFaults({ dependencies: { ...dependencies, zod: '4' } }, 'require("firebase-admin")'),
  ).toEqual(['Dependency not expected: zod', 'The bundle requires the package firebase-admin']);
});

test('the check of indexes finds missing and unexpected ones', () => {
  const parent = 'projects/p/databases/(default)/collectionGroups';
  const fields = (fieldPath: string) => [{ fieldPath, order: 'ASCENDING' }];
  const stored = {
    name: `${parent}/flash/indexes/1`,
    queryScope: 'COLLECTION',
    fields: fields('a'),
  };

  expect(
    indexFaults(
      { indexes: new Map([[stored.name, stored]]), fields: new Map() },
      {
        indexes: [{ collectionGroup: 'flash', fields: fields('b') }],
        fieldOverrides: [{ collectionGroup: 'flash', fieldPath: 'c' }],
      },
    ),
  ).toEqual([
    'In Firestore not expected: index of flash: a ASCENDING',
    'In Firestore missing: index of flash: b ASCENDING',
    'In Firestore missing: settings of the field flash.c',
  ]);
});
