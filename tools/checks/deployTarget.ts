import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { endpoints, otherFunctionIds } from '../../functions/service.ts';

/** What a deploy to a project brings. */
export interface DeployTarget {
  readonly project: string;
  readonly codebase: string;
  readonly functionIds: readonly string[];
  /** The database that the functions use. */
  readonly databaseId: string;
  /** The database whose rules are deployed. */
  readonly rulesDatabaseId: string;
  /** The Hosting site, if it is not the default one of the project. */
  readonly site?: string | undefined;
}

interface FirebaseConfig {
  readonly functions: readonly [{ readonly codebase: string }];
  readonly firestore: { readonly database?: string };
  readonly hosting: { readonly site?: string };
}

/** What a deploy to a project brings, from the files of this repository. */
export function readDeployTarget(project: string): DeployTarget {
  const { functions, firestore, hosting } = JSON.parse(
    readFileSync('firebase.json', 'utf8'),
  ) as FirebaseConfig;
  return {
    project,
    codebase: functions[0].codebase,
    functionIds: [...endpoints.map(({ functionId }) => functionId), ...otherFunctionIds],
    databaseId: readParameters(project).DATABASE_ID ?? '(default)',
    rulesDatabaseId: firestore.database ?? '(default)',
    site: hosting.site,
  };
}

/** The parameters of a project, from the files that the CLI reads. */
function readParameters(project: string): Readonly<Record<string, string | undefined>> {
  const files = ['functions/.env', `functions/.env.${project}`].filter((file) => existsSync(file));
  return parseEnv(files.map((file) => readFileSync(file, 'utf8')).join('\n'));
}
