/** What the rehearsal compares: a deploy that differs from its plan is seen. */
import {
  deployedSettings,
  pagesWithoutPolicy,
  plannedSettings,
  requiredPackages,
  rewriteTargets,
} from './expected.ts';
import type { CloudFunction } from '../checks/resources.ts';

const PARAMETERS = { MAX_INSTANCES: '20' };
const TARGET = { FUNCTION_TARGET: 'flash.reorder' };

const PLANNED = plannedSettings(
  {
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
  },
  PARAMETERS,
);

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
    environmentVariables: { ...TARGET, ...PARAMETERS },
  },
};

test.each<[string, object, object?, string[]?]>([
  ['memory', { memory: '256Mi' }, { serviceConfig: { availableMemory: '256Mi' } }],
  ['state', { state: 'FAILED' }, { state: 'FAILED' }],
  ['caller', { invokers: [] }, {}, []],
  ['name', { id: 'b', region: 'a' }, { name: 'projects/p/locations/a/functions/b' }],
  ['build', { runtime: 'nodejs20' }, { buildConfig: { runtime: 'nodejs20' } }],
  [
    'value of a parameter',
    { parameters: { MAX_INSTANCES: '1' } },
    { serviceConfig: { environmentVariables: { ...TARGET, MAX_INSTANCES: '1' } } },
  ],
  ['nothing', {}],
])('a function with another %s differs from its plan', (_what, seen, changes = {}, invokers) => {
  const { buildConfig, serviceConfig, ...others } = changes as Partial<CloudFunction>;
  const stored = {
    ...STORED,
    ...others,
    buildConfig: { ...STORED.buildConfig, ...buildConfig },
    serviceConfig: { ...STORED.serviceConfig, ...serviceConfig },
  };

  const settings = deployedSettings(stored, invokers ?? ['allUsers'], ['MAX_INSTANCES']);
  expect(settings).toEqual({ ...PLANNED, ...seen });
});

test('rewrites lead to services, each once, or to what is no service', () => {
  const run = { serviceId: 'flash-reorder', region: 'europe-west1' };

  expect(
    rewriteTargets([
      { glob: '/b', run },
      { glob: '/c', run },
      { glob: '/a', function: 'old' },
    ]),
  ).toEqual(['/a leads to old', 'europe-west1/flash-reorder']);
});

test('a page needs a strict policy at each of its paths', () => {
  const strict = { 'Content-Security-Policy': "default-src 'none'; script-src 'self'" };
  const loose = { 'Content-Security-Policy': 'default-src *' };
  const withHeaders = (glob: string, headers: Record<string, string>) =>
    pagesWithoutPolicy(['/index.html', '/demo/a.html', '/x.js'], { headers: [{ glob, headers }] });

  expect(withHeaders('**', strict)).toEqual([]);
  expect(withHeaders('/demo/**', strict)).toEqual(['/index.html', '/']);
  expect(withHeaders('**', loose)).toEqual(['/index.html', '/', '/demo/a.html', '/demo/a.html']);
});

test('a bundle requires packages that are neither of Node nor its own files', () => {
  const bundle = 'require("node:fs"); require("crypto"); require("./x"); require("firebase-admin")';

  expect(requiredPackages(bundle)).toEqual(['firebase-admin']);
});
