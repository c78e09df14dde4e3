import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { CompositeIndex } from '@tattoo-marketplace/firestore-embedded';
import { deployedEndpoints, otherFunctions } from '../../functions/service.ts';
import type { FieldOverride } from '../generate/indexes.ts';

/** What a deploy to a project brings, from the files of this repository. */
export interface Deploy {
  readonly project: string;
  readonly codebase: string;
  readonly region: string;
  readonly functionIds: readonly string[];
  /** The database that the functions use. */
  readonly databaseId: string;
  /** The database whose rules and indexes are deployed. */
  readonly ruledDatabaseId: string;
  readonly rules: string;
  readonly indexes: readonly CompositeIndex[];
  readonly fieldOverrides: readonly FieldOverride[];
  readonly sites: readonly Site[];
}

/** A Hosting site in firebase.json. */
export interface Site {
  /** Without it the default site of the project is used. */
  readonly site?: string;
  readonly target?: string;
  readonly headers?: readonly { readonly headers: readonly { key: string; value: string }[] }[];
}

interface FirebaseConfig {
  readonly functions: readonly { readonly source: string; readonly codebase: string }[];
  readonly firestore: {
    readonly database?: string;
    readonly rules: string;
    readonly indexes: string;
  };
  readonly hosting: Site | readonly Site[];
}

/** What a deploy to a project brings. */
export function deployTo(project: string): Deploy {
  const { functions, firestore, hosting } = parsed('firebase.json') as FirebaseConfig;
  const { REGION = 'us-central1', DATABASE_ID = '(default)' } = parametersOf(project);
  return {
    project,
    codebase: functions.find(({ source }) => source === 'functions')?.codebase ?? 'default',
    region: REGION,
    functionIds: [...deployedEndpoints.map(({ functionId }) => functionId), ...otherFunctions],
    databaseId: DATABASE_ID,
    ruledDatabaseId: firestore.database ?? '(default)',
    rules: readFileSync(firestore.rules, 'utf8'),
    ...(parsed(firestore.indexes) as Pick<Deploy, 'indexes' | 'fieldOverrides'>),
    sites: [hosting].flat(),
  };
}

/** The parameters of a project, from the files that the CLI reads: one may be named by an alias in .firebaserc. */
function parametersOf(project: string): Readonly<Record<string, string | undefined>> {
  const { projects } = parsed('.firebaserc') as { projects: Readonly<Record<string, string>> };
  const aliases = Object.keys(projects).filter((alias) => projects[alias] === project);
  const files = ['.env', ...[project, ...aliases].map((name) => `.env.${name}`)]
    .map((name) => `functions/${name}`)
    .filter((file) => existsSync(file));
  return parseEnv(files.map((file) => readFileSync(file, 'utf8')).join('\n'));
}

function parsed(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}
