/** What a deploy must bring, and what it has brought, in terms that can be compared. */
import { isBuiltin } from 'node:module';
import { join } from 'node:path/posix';
import { publishedClients } from '../../dev/hosting/clientPackages.ts';
import type { PlannedFunction } from '../checks/manifest.ts';
import { PROJECT } from './setting.ts';

/** The files that the bundle loads on first use, as it requires them. */
export const LOADED_LATER: readonly string[] = ['./firebase-admin.cjs'];

/** The files of the bundle. */
export const BUNDLED: readonly string[] = [
  './index.cjs',
  './functions.cjs',
  './functions.cjs.map',
  ...LOADED_LATER,
]
  .map((file) => join('lib', file))
  .sort();

/** The uploaded files of functions/: the bundle, and the manifests from which the platform installs dependencies. */
export const UPLOADED: readonly string[] = [...BUNDLED, 'package-lock.json', 'package.json'];

/** The files that Hosting publishes. */
export const PUBLISHED: readonly string[] = [
  ...Object.keys(publishedClients()).map((version) => `/client-${version}.tgz`),
  '/client.tgz',
  '/client/index.js',
  '/icon.svg',
  '/index.html',
  '/openapi.json',
  '/reference.css',
  '/reference.js',
  '/session.js',
  '/vendor/api-reference.js',
  '/vendor/firebase-auth.js',
];

/** What a bundle requires, besides the modules of Node, each once. */
export function requiredBy(bundle: string): string[] {
  const required = [...bundle.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name = '']) => name);
  return [...new Set(required)].filter((name) => !isBuiltin(name)).sort();
}

/** What the platform must have of a function, with these values of all parameters. */
export function plannedFunction(
  { id, entryPoint, region, ...planned }: PlannedFunction,
  parameters: Readonly<Record<string, string>>,
) {
  return {
    name: `projects/${PROJECT}/locations/${region}/functions/${id}`,
    state: 'ACTIVE',
    buildConfig: {
      runtime: 'nodejs24',
      entryPoint,
      environmentVariables: { GOOGLE_NODE_RUN_SCRIPTS: '' },
    },
    serviceConfig: {
      availableMemory: `${planned.availableMemoryMb}Mi`,
      availableCpu: String(planned.cpu),
      maxInstanceRequestConcurrency: planned.concurrency,
      timeoutSeconds: planned.timeoutSeconds,
      minInstanceCount: planned.minInstances,
      maxInstanceCount: planned.maxInstances,
      environmentVariables: { ...parameters, FUNCTION_TARGET: entryPoint },
    },
  };
}
