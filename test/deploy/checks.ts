/** Checks of a deploy. Each returns its findings as sentences: none if all is right. */
import { isBuiltin } from 'node:module';
import { basename } from 'node:path';
import type { CloudFunction } from './cloud/functionsApi.ts';
import type { FirestoreApi } from './cloud/firestoreApi.ts';
import { headersOf } from './cloud/hostingFront.ts';
import type { HostingRewrite, HostingVersion } from './cloud/hostingApi.ts';
import type { DeployPlan } from './manifest.ts';
import { fieldText, indexText } from './project.ts';

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

/** The differences between two lists in any order. */
export function listFaults(
  what: string,
  found: readonly string[],
  expected: readonly string[],
): string[] {
  return [
    ...found
      .filter((each) => !expected.includes(each))
      .map((each) => `${what} not expected: ${each}`),
    ...expected.filter((each) => !found.includes(each)).map((each) => `${what} missing: ${each}`),
  ];
}

/** The dependencies of the deployed package; everything else is in the bundle. */
const DEPENDENCIES: readonly string[] = ['@google-cloud/functions-framework'];

/** Checks that the deployed package depends only on what runs it, and that its bundle requires no other package. */
export function packageFaults(
  { dependencies = {} }: { readonly dependencies?: Readonly<Record<string, string>> },
  bundle: string,
): string[] {
  const required = [...bundle.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name = '']) => name);
  return [
    ...listFaults('Dependency', Object.keys(dependencies), DEPENDENCIES),
    ...new Set(
      required
        .filter((name) => !isBuiltin(name) && !name.startsWith('.'))
        .map((name) => `The bundle requires the package ${name}`),
    ),
  ];
}

/** A deployed function and its callers. */
export interface Deployed {
  readonly stored: CloudFunction;
  readonly invokers: readonly string[];
}

/** Checks that the functions were deployed as declared, with all parameters. */
export function functionFaults(
  deployed: readonly Deployed[],
  plan: DeployPlan,
  values: Readonly<Record<string, string>>,
): string[] {
  const ids = deployed.map(({ stored }) => basename(stored.name));
  const planned = new Map(plan.functions.map((each) => [each.id, each]));
  return [
    ...listFaults('Function', ids, [...planned.keys()]),
    ...deployed.flatMap(({ stored, invokers }) => {
      const id = basename(stored.name);
      const wanted = planned.get(id);
      if (wanted === undefined) return [];
      const { buildConfig, serviceConfig } = stored;
      const { environmentVariables } = serviceConfig;
      const pairs: [string, unknown, unknown][] = [
        ['state', stored.state, 'ACTIVE'],
        ['region', stored.name.split('/')[3], wanted.region],
        ['runtime', buildConfig.runtime, wanted.runtime],
        ['entry point', buildConfig.entryPoint, wanted.entryPoint],
        ['build scripts', buildConfig.environmentVariables.GOOGLE_NODE_RUN_SCRIPTS, ''],
        ['target', environmentVariables.FUNCTION_TARGET, wanted.entryPoint],
        ['memory', serviceConfig.availableMemory, `${wanted.availableMemoryMb}Mi`],
        ['CPU', serviceConfig.availableCpu, String(wanted.cpu)],
        ['concurrency', serviceConfig.maxInstanceRequestConcurrency, wanted.concurrency],
        ['timeout', serviceConfig.timeoutSeconds, wanted.timeoutSeconds],
        ['minimum instances', serviceConfig.minInstanceCount ?? 0, wanted.minInstances],
        ['maximum instances', serviceConfig.maxInstanceCount, wanted.maxInstances],
        ['invokers', invokers.join(), 'allUsers'],
        ...plan.parameters.map(({ name }): [string, unknown, unknown] => [
          `parameter ${name}`,
          environmentVariables[name],
          values[name],
        ]),
      ];
      return pairs
        .filter(([, found, expected]) => found !== expected)
        .map(
          ([what, found, expected]) =>
            `${id}: ${what} is ${String(found)}, not ${String(expected)}`,
        );
    }),
  ];
}

/** Checks that every rewrite leads to an existing service in its region, and that every service has a rewrite. */
export function rewriteFaults(
  rewrites: readonly HostingRewrite[],
  services: readonly string[],
): string[] {
  const targets = rewrites.map(({ run }) => (run ? `${run.region}/${run.serviceId}` : ''));
  return [
    ...rewrites
      .filter((_, index) => !services.includes(targets[index] ?? ''))
      .map(
        ({ glob, run, function: id }) =>
          `The rewrite of ${glob} leads nowhere: ${run?.serviceId ?? id ?? ''}`,
      ),
    ...services
      .filter((service) => !targets.includes(service))
      .map((service) => `No rewrite leads to ${service}`),
  ];
}

/** Checks that Hosting publishes the right files, with its headers on every page, and no secret. */
export function hostingFaults(
  version: Pick<HostingVersion, 'files' | 'config'>,
  contentOf: (path: string) => string,
  secrets: readonly string[],
): string[] {
  const paths = [...version.files.keys()];
  const pages = paths.filter((path) => path.endsWith('.html'));
  const addresses = pages.flatMap((path) => [path, path.replace(/index\.html$/, '')]);
  return [
    ...listFaults('Published file', paths, PUBLISHED),
    ...addresses
      .filter(
        (path) =>
          !headersOf(version, path)['Content-Security-Policy']?.includes("default-src 'none'"),
      )
      .map((path) => `${path} has no strict Content-Security-Policy`),
    ...paths
      .filter((path) => secrets.some((secret) => contentOf(path).includes(secret)))
      .map((path) => `${path} contains a password of the demo`),
  ];
}

/** The content of firestore.indexes.json. */
export interface IndexFile {
  readonly indexes: readonly {
    readonly collectionGroup: string;
    readonly fields: readonly { readonly fieldPath: string; readonly order?: string }[];
  }[];
  readonly fieldOverrides: readonly {
    readonly collectionGroup: string;
    readonly fieldPath: string;
  }[];
}

/** Checks that the indexes and single-field settings are those of firestore.indexes.json. */
export function indexFaults(
  { indexes, fields }: Pick<FirestoreApi, 'indexes' | 'fields'>,
  file: IndexFile,
): string[] {
  return [
    ...listFaults(
      'In Firestore',
      [...indexes.values()].map((each) => indexText(each.name.split('/')[5] ?? '', each)),
      file.indexes.map((each) => indexText(each.collectionGroup, each)),
    ),
    ...listFaults(
      'In Firestore',
      [...fields.keys()].map((name) =>
        fieldText(name.split('/')[5] ?? '', name.split('/')[7] ?? ''),
      ),
      file.fieldOverrides.map((each) => fieldText(each.collectionGroup, each.fieldPath)),
    ),
  ];
}
