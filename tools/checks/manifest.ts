import { buildFunctionsApart, discover } from '../../dev/functionsBuild.ts';

/** A function in the manifest that the CLI reads. Parameters are expressions: `{{ params.REGION }}`. */
export interface ManifestFunction {
  readonly id: string;
  readonly httpsTrigger?: object;
}

/** The functions of the source. */
export async function sourceFunctions(): Promise<readonly ManifestFunction[]> {
  const build = await buildFunctionsApart();
  try {
    const { endpoints } = (await discover(build.folder)) as {
      readonly endpoints: Readonly<Record<string, object>>;
    };
    return Object.entries(endpoints).map(([id, declared]) => ({ id, ...declared }));
  } finally {
    await build.remove();
  }
}
