import { createRequire } from 'node:module';
import { join } from 'node:path';
import { discover } from '../../dev/discovery.ts';
import { ROOT } from '../../dev/root.ts';

const require = createRequire(join(ROOT, 'package.json'));

/** A function in the deploy plan. */
export interface PlannedFunction {
  readonly id: string;
  /** `flash.listByArtist` */
  readonly entryPoint: string;
  readonly region: string;
  readonly platform: string;
  readonly runtime: string;
  readonly availableMemoryMb: number;
  readonly cpu: number;
  readonly concurrency: number;
  readonly minInstances: number;
  readonly maxInstances: number;
  readonly timeoutSeconds: number;
  readonly httpsTrigger: { readonly invoker: readonly string[] };
}

/** A deploy-time parameter as found by the CLI. */
export interface PlannedParameter {
  readonly name: string;
  readonly type: string;
  readonly default: string | number | boolean;
  readonly description: string;
  readonly input?: {
    readonly text?: {
      readonly validationRegex?: string;
      readonly validationErrorMessage?: string;
    };
    readonly select?: { readonly options: readonly { readonly value: string }[] };
  };
}

/** The plan of a deploy. */
export interface DeployPlan {
  readonly functions: readonly PlannedFunction[];
  readonly parameters: readonly PlannedParameter[];
}

/** The modules of the firebase CLI that read a manifest and resolve parameters. */
interface Cli {
  readonly buildFromV1Alpha1: (
    manifest: unknown,
    project: string,
    region: string,
    runtime: string,
  ) => { readonly params: readonly PlannedParameter[] };
  readonly toBackend: (build: object, values: Record<string, unknown>) => object;
  readonly allEndpoints: (backend: object) => readonly PlannedFunction[];
  readonly ParamValue: new (value: string, internal: boolean, types: object) => unknown;
}

/** The functions that `firebase deploy` would deploy with these parameter values, and defaults for the others. */
export async function deployPlan(
  functionsFolder: string,
  values: Readonly<Record<string, string>> = {},
): Promise<DeployPlan> {
  return planOf(await discover(functionsFolder), values);
}

function planOf(manifest: unknown, given: Readonly<Record<string, string>>): DeployPlan {
  const lib = 'firebase-tools/lib/deploy/functions';
  const { buildFromV1Alpha1, toBackend, allEndpoints, ParamValue } = {
    ...(require(`${lib}/runtimes/discovery/v1alpha1`) as object),
    ...(require(`${lib}/build`) as object),
    ...(require(`${lib}/backend`) as object),
    ...(require(`${lib}/params`) as object),
  } as Cli;
  const build = buildFromV1Alpha1(manifest, 'demo-plan', 'us-central1', 'nodejs24');
  const values = build.params.map((parameter) => [
    parameter.name,
    new ParamValue(given[parameter.name] ?? String(parameter.default), false, {
      string: true,
      number: typeof parameter.default === 'number',
      boolean: typeof parameter.default === 'boolean',
    }),
  ]);
  const backend = toBackend(build, Object.fromEntries(values) as Record<string, unknown>);
  return { functions: allEndpoints(backend), parameters: build.params };
}
