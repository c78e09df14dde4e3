import {
  functionFaults,
  hostingFaults,
  indexFaults,
  listFaults,
  packageFaults,
  PUBLISHED,
  rewriteFaults,
} from './checks.ts';
import type { CloudFunction } from './cloud/functionsApi.ts';
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

describe('the check of functions', () => {
  const plan = {
    functions: [PLANNED],
    parameters: [{ name: 'MAX_INSTANCES', type: 'int', default: 20, description: '' }],
  };
  const values = { MAX_INSTANCES: '20' };
  const check = (stored: CloudFunction, invokers = ['allUsers']) =>
    functionFaults([{ stored, invokers }], plan, values);
  const withService = (changes: Partial<CloudFunction['serviceConfig']>) => ({
    ...STORED,
    serviceConfig: { ...STORED.serviceConfig, ...changes },
  });

  test('accepts a function that was deployed as declared', () => {
    expect(check(STORED)).toEqual([]);
  });

  test('finds a missing parameter', () => {
    const environmentVariables = { FUNCTION_TARGET: 'flash.reorder' };

    expect(check(withService({ environmentVariables }))).toEqual([
      'flash-reorder: parameter MAX_INSTANCES is undefined, not 20',
    ]);
  });

  test.each<[string, CloudFunction]>([
    ['memory', withService({ availableMemory: '256Mi' })],
    ['concurrency', withService({ maxInstanceRequestConcurrency: 1 })],
    ['maximum instances', withService({ maxInstanceCount: 100 })],
    ['region', { ...STORED, name: STORED.name.replace('europe-west1', 'us-central1') }],
    ['state', { ...STORED, state: 'FAILED' }],
    [
      'build scripts',
      { ...STORED, buildConfig: { ...STORED.buildConfig, environmentVariables: {} } },
    ],
  ])('finds a wrong %s', (what, stored) => {
    expect(check(stored)).toEqual([expect.stringContaining(`flash-reorder: ${what} is `)]);
  });

  test('finds a function that is not public', () => {
    expect(check(STORED, [])).toEqual([expect.stringContaining('invokers')]);
  });

  test('finds missing and unexpected functions', () => {
    const other = { ...STORED, name: STORED.name.replace('reorder', 'other') };

    expect(functionFaults([{ stored: other, invokers: [] }], plan, values)).toEqual([
      'Function not expected: flash-other',
      'Function missing: flash-reorder',
    ]);
  });
});

describe('the check of rewrites', () => {
  const run = { serviceId: 'flash-reorder', region: 'europe-west1' };

  test('accepts rewrites that lead to every service', () => {
    expect(rewriteFaults([{ glob: '/api/**', run }], ['europe-west1/flash-reorder'])).toEqual([]);
  });

  test('finds a rewrite to a function that does not exist', () => {
    expect(rewriteFaults([{ glob: '/api/**', function: 'flash-reorder' }], [])).toEqual([
      'The rewrite of /api/** leads nowhere: flash-reorder',
    ]);
  });

  test('finds a rewrite to another region', () => {
    expect(rewriteFaults([{ glob: '/api/**', run }], ['us-central1/flash-reorder'])).toEqual([
      'The rewrite of /api/** leads nowhere: flash-reorder',
      'No rewrite leads to us-central1/flash-reorder',
    ]);
  });
});

describe('the check of Hosting', () => {
  const headers = { 'Content-Security-Policy': "default-src 'none'" };
  const config = { headers: [{ glob: '**', headers }] };
  const files = new Map(PUBLISHED.map((path) => [path, 'hash']));
  const empty = () => '';

  test('accepts exactly the files to publish', () => {
    expect(hostingFaults({ files, config }, empty, ['secret'])).toEqual([]);
  });

  test('finds an unexpected file', () => {
    const more = new Map([...files, ['/node_modules/x.js', 'hash']]);

    expect(hostingFaults({ files: more, config }, empty, [])).toEqual([
      'Published file not expected: /node_modules/x.js',
    ]);
  });

  test('finds a page without a strict policy, at each of its URLs', () => {
    const atRoot = { headers: [{ glob: '/', headers }] };

    expect(hostingFaults({ files, config: atRoot }, empty, [])).toContain(
      '/index.html has no strict Content-Security-Policy',
    );
    expect(hostingFaults({ files, config: {} }, empty, [])).toContain(
      '/ has no strict Content-Security-Policy',
    );
  });

  test('finds a password', () => {
    const contentOf = (path: string) => (path === '/openapi.json' ? 'the secret' : '');

    expect(hostingFaults({ files, config }, contentOf, ['secret'])).toEqual([
      '/openapi.json contains a password of the demo',
    ]);
  });
});

describe('the check of the package', () => {
  const dependencies = { '@google-cloud/functions-framework': '5.0.5' };

  test('accepts a bundle that requires only modules of Node', () => {
    expect(
      packageFaults({ dependencies }, 'require("node:fs"); require("crypto"); require("./x")'),
    ).toEqual([]);
  });

  test('finds a package that is not bundled, and an unneeded dependency', () => {
    expect(
      packageFaults({ dependencies: { ...dependencies, zod: '4' } }, 'require("firebase-admin")'),
    ).toEqual(['Dependency not expected: zod', 'The bundle requires the package firebase-admin']);
  });
});

test('the check of indexes finds missing and unexpected ones', () => {
  const parent = 'projects/p/databases/(default)/collectionGroups';
  const name = `${parent}/flash/indexes/1`;
  const stored = {
    name,
    queryScope: 'COLLECTION',
    fields: [{ fieldPath: 'a', order: 'ASCENDING' }],
  };
  const wanted = { collectionGroup: 'flash', fields: [{ fieldPath: 'b', order: 'ASCENDING' }] };

  expect(
    indexFaults(
      { indexes: new Map([[name, stored]]), fields: new Map() },
      { indexes: [wanted], fieldOverrides: [{ collectionGroup: 'flash', fieldPath: 'c' }] },
    ),
  ).toEqual([
    'In Firestore not expected: index of flash: a ASCENDING',
    'In Firestore missing: index of flash: b ASCENDING',
    'In Firestore missing: settings of the field flash.c',
  ]);
});

test('the comparison of lists finds missing and unexpected elements', () => {
  expect(listFaults('File', ['a', 'b'], ['b', 'c'])).toEqual([
    'File not expected: a',
    'File missing: c',
  ]);
});
