import { readFileSync } from 'node:fs';
import { sourceFunctions } from './manifest.ts';
import { declaredParameters, parameterValues } from './parameters.ts';
import type { Deploy } from './project.ts';
import type { Rewrite } from './resources.ts';

interface FirebaseConfig {
  readonly functions: readonly [{ readonly codebase: string }];
  readonly firestore: { readonly rules: string };
  readonly hosting: { readonly site?: string; readonly rewrites: readonly Rewrite[] };
}

/** What a deploy to a project brings, from the files of this repository. */
export async function deployTo(project: string): Promise<Deploy> {
  const config = JSON.parse(readFileSync('firebase.json', 'utf8')) as FirebaseConfig;
  const { values } = parameterValues(project);
  const region = declaredParameters().find(({ name }) => name === 'REGION');
  return {
    project,
    codebase: config.functions[0].codebase,
    region: values.REGION ?? String(region?.default),
    functionIds: (await sourceFunctions()).map(({ id }) => id),
    databaseId: values.DATABASE_ID ?? '(default)',
    rules: readFileSync(config.firestore.rules, 'utf8'),
    site: config.hosting.site,
    rewrites: config.hosting.rewrites,
  };
}
