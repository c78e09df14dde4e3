import { discover } from '../../dev/discovery.ts';
import { buildFunctionsApart } from '../../dev/functionsBuild.ts';

/** A function in the manifest of a build, with the values of its parameters. */
export interface PlannedFunction {
  readonly id: string;
  /** `flash.listByArtist` */
  readonly entryPoint: string;
  readonly region: string;
  readonly platform: string;
  readonly availableMemoryMb: number;
  readonly cpu: number;
  readonly concurrency: number;
  readonly minInstances: number;
  readonly maxInstances: number;
  readonly timeoutSeconds: number;
  readonly httpsTrigger?: { readonly invoker: readonly string[] };
}

/** A deploy-time parameter in the manifest. */
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

/** What a deploy of the source would deploy with these parameter values, and defaults for the others. */
export async function sourcePlan(
  values: Readonly<Record<string, string>> = {},
): Promise<DeployPlan> {
  const build = await buildFunctionsApart();
  try {
    return await deployPlan(build.folder, values);
  } finally {
    await build.remove();
  }
}

/** What a deploy of a built package would deploy with these parameter values, and defaults for the others. */
export async function deployPlan(
  functionsFolder: string,
  values: Readonly<Record<string, string>> = {},
): Promise<DeployPlan> {
  const { endpoints, params } = (await discover(functionsFolder)) as {
    readonly endpoints: Readonly<Record<string, object>>;
    readonly params: readonly PlannedParameter[];
  };
  const valueOf = (name: string) => {
    const { type, default: initial } = params.find((each) => each.name === name) ?? {};
    const text = values[name] ?? String(initial);
    return type === 'int' ? text : JSON.stringify(text);
  };
  const resolved = JSON.stringify(endpoints).replace(
    /"\{\{ params\.(\w+) \}\}"/g,
    (_expression, name: string) => valueOf(name),
  );
  const functions = JSON.parse(resolved) as Readonly<Record<string, Omit<PlannedFunction, 'id'>>>;
  return {
    functions: Object.entries(functions).map(([id, planned]) => ({ id, ...planned })),
    parameters: params,
  };
}
