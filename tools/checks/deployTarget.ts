import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { parseConfigFile, parseFirebaseConfig } from '../../dev/configFiles.ts';
import { functionIds } from '../../functions/service.ts';

/** The resources that a deploy to a project creates or replaces. */
export interface DeployTarget {
  readonly project: string;
  readonly codebase: string;
  readonly functionIds: readonly string[];
  /** The database that the functions use. */
  readonly databaseId: string;
  /** The database whose rules are deployed. */
  readonly rulesDatabaseId: string;
  /** The Hosting site, unless it is the default site of the project. */
  readonly site?: string | undefined;
}

/** Reads the target of a deploy to a project from the files of this repository. */
export function readDeployTarget(project: string): DeployTarget {
  const { functions, firestore, hosting } = parseFirebaseConfig();
  return {
    project,
    codebase: functions[0].codebase,
    functionIds,
    databaseId: readParameters(project).DATABASE_ID ?? '(default)',
    rulesDatabaseId: firestore.database ?? '(default)',
    site: hosting.site,
  };
}

/** Reads the parameters of a project from the files that the Firebase CLI reads. */
export function readParameters(
  project: string,
  root = '.',
): Readonly<Record<string, string | undefined>> {
  const texts = ['functions/.env', findParameterFile(project, root)]
    .map((file) => join(root, file))
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8'));
  return parseEnv(texts.join('\n'));
}

/**
 * Finds the parameter file of a project: the file with its id or with an alias of `.firebaserc`. The CLI rejects both
 * together. Before a deploy, it does not tell the alias that the deploy names, so only one alias may have a file.
 */
function findParameterFile(project: string, root: string): string {
  const file = `functions/.env.${project}`;
  const aliasFiles = readAliases(project, root)
    .map((alias) => `functions/.env.${alias}`)
    .filter((aliasFile) => existsSync(join(root, aliasFile)));
  const [aliasFile, otherFile] = aliasFiles;
  if (existsSync(join(root, file)) || aliasFile === undefined) return file;
  if (otherFile === undefined) return aliasFile;
  throw new Error(
    `${aliasFiles.join(' and ')} are parameters of the same project, ${project}: keep one of the files.`,
  );
}

/** Reads the aliases of a project. */
function readAliases(project: string, root: string): string[] {
  const file = join(root, '.firebaserc');
  if (!existsSync(file)) return [];
  const { projects = {} } = parseConfigFile(file) as {
    readonly projects?: Readonly<Record<string, string>>;
  };
  return Object.keys(projects).filter((alias) => projects[alias] === project);
}
