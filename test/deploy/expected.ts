/** What a deploy must bring, and what it has brought, in terms that can be compared. */
import { isBuiltin } from 'node:module';
import { basename, posix } from 'node:path';
import type { PlannedFunction } from '../checks/manifest.ts';
import { fieldText, indexText } from '../checks/project.ts';
import type {
  CloudFunction,
  HostingConfig,
  HostingRewrite,
  IndexFile,
} from '../checks/resources.ts';

/** The files of the bundle. */
export const BUNDLED: readonly string[] = [
  'lib/firebase-admin.cjs',
  'lib/google-auth-library.cjs',
  'lib/index.cjs',
  'lib/index.cjs.map',
  'lib/jwks-rsa.cjs',
];

/** The uploaded files of functions/: the bundle, and the manifests from which the platform installs dependencies. */
export const UPLOADED: readonly string[] = [...BUNDLED, 'package-lock.json', 'package.json'];

/** The files that Hosting publishes. */
export const PUBLISHED: readonly string[] = [
  '/client-3.0.0.tgz',
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

/** The packages that a bundle requires, without those of Node itself. */
export function requiredPackages(bundle: string): string[] {
  const required = [...bundle.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name = '']) => name);
  return required.filter((name) => !isBuiltin(name) && !name.startsWith('.'));
}

/** How a function is deployed, with its callers and the values of these parameters. */
export function deployedSettings(
  { name, state, buildConfig, serviceConfig }: CloudFunction,
  invokers: readonly string[],
  parameters: readonly string[],
) {
  const { environmentVariables: variables } = serviceConfig;
  return {
    id: basename(name),
    state,
    region: name.split('/')[3],
    runtime: buildConfig.runtime,
    entryPoints: [buildConfig.entryPoint, variables.FUNCTION_TARGET],
    buildScripts: buildConfig.environmentVariables.GOOGLE_NODE_RUN_SCRIPTS,
    memory: serviceConfig.availableMemory,
    cpu: serviceConfig.availableCpu,
    concurrency: serviceConfig.maxInstanceRequestConcurrency,
    timeoutSeconds: serviceConfig.timeoutSeconds,
    instances: [serviceConfig.minInstanceCount ?? 0, serviceConfig.maxInstanceCount],
    invokers,
    parameters: Object.fromEntries(parameters.map((each) => [each, variables[each]])),
  };
}

/** How a function must be deployed, with these values of all parameters. */
export function plannedSettings(
  planned: PlannedFunction,
  parameters: Readonly<Record<string, string>>,
): ReturnType<typeof deployedSettings> {
  return {
    id: planned.id,
    state: 'ACTIVE',
    region: planned.region,
    runtime: planned.runtime,
    entryPoints: [planned.entryPoint, planned.entryPoint],
    buildScripts: '',
    memory: `${planned.availableMemoryMb}Mi`,
    cpu: String(planned.cpu),
    concurrency: planned.concurrency,
    timeoutSeconds: planned.timeoutSeconds,
    instances: [planned.minInstances, planned.maxInstances],
    invokers: ['allUsers'],
    parameters,
  };
}

/** The Cloud Run services to which rewrites lead, each once: `europe-west1/flash-listbyartist`. */
export function rewriteTargets(rewrites: readonly HostingRewrite[] = []): string[] {
  const targets = rewrites.map(({ glob, run, function: id }) =>
    run ? `${run.region}/${run.serviceId}` : `${glob} leads to ${id ?? 'nothing'}`,
  );
  return [...new Set(targets)].sort();
}

/** The pages among files, by all their paths, that have no strict policy for their content. */
export function pagesWithoutPolicy(
  paths: readonly string[],
  { headers = [] }: HostingConfig,
): string[] {
  const policyOf = (path: string) =>
    headers
      .filter(({ glob }) => posix.matchesGlob(path, glob))
      .map((each) => each.headers['Content-Security-Policy'] ?? '')
      .join();
  return paths
    .filter((path) => path.endsWith('.html'))
    .flatMap((path) => [path, path.replace(/index\.html$/, '')])
    .filter((path) => !policyOf(path).includes("default-src 'none'"));
}

/** The indexes and settings of single fields in firestore.indexes.json. */
export function indexesOf({ indexes, fieldOverrides }: IndexFile): string[] {
  return [
    ...indexes.map((each) => indexText(each.collectionGroup, each)),
    ...fieldOverrides.map((each) => fieldText(each.collectionGroup, each.fieldPath)),
  ].sort();
}
