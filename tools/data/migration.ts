import {
  FirestoreError,
  toValue,
  waitBeforeRetry,
  type Changes,
  type Fields,
  type Firestore,
  type StoredDocument,
} from '@tattoo-marketplace/firestore-rest';
import { UserError } from '../checks/commandLine.ts';
import type { Collection } from './collections.ts';
import { callLimits, documentsOf } from './database.ts';
import { isNothing } from './fieldTypes.ts';

/** How often one document is tried that others change at the same time. */
const ATTEMPTS = 50;

/** What to do with each document of a collection. */
export interface Migration {
  /** The fields that it reads. */
  readonly select: readonly string[];
  /** The changes of a document, if any; `both` if it has both fields, so that nobody can tell which one counts. */
  readonly changesOf: (fields: Fields) => Changes | 'both' | undefined;
}

/** The migration of the command line; throws if it names none. */
export function migrationOf(given: {
  readonly set?: string | undefined;
  readonly whereMissing?: string | undefined;
  readonly rename?: string | undefined;
}): Migration {
  if (given.set !== undefined && given.whereMissing !== undefined && !given.rename) {
    const [field, text] = pair(given.set);
    const missing = given.whereMissing;
    const changes = { [field]: toValue(jsonOrText(text)) };
    return {
      select: [missing],
      changesOf: (fields) => (isMissing(fields, missing) ? changes : undefined),
    };
  }
  if (given.rename === undefined || given.set !== undefined) {
    throw new UserError('Say either --set FIELD=VALUE --where-missing FIELD or --rename NEW=OLD.');
  }
  const [field, old] = pair(given.rename);
  return {
    select: [field, old],
    changesOf: (fields) => {
      if (isMissing(fields, old)) return undefined;
      return isMissing(fields, field) ? { [field]: fields[old], [old]: undefined } : 'both';
    },
  };
}

function pair(text: string): [string, string] {
  const [, name, value] = /^(\w+)=([^]+)$/.exec(text) ?? [];
  if (name !== undefined && value !== undefined) return [name, value];
  throw new UserError(
    `${text} must have the form NAME=VALUE, with a field of the document itself.`,
  );
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function isMissing(fields: Fields, name: string): boolean {
  const value = fields[name];
  return value === undefined || isNothing(value);
}

/** What a migration has done, or would do. */
export interface Outcome {
  read: number;
  changed: number;
  /** The documents that have both fields. */
  readonly left: string[];
}

/** Changes the documents of a collection, page by page; without `apply` it only counts them. */
export async function migrate(
  database: Firestore,
  collection: Collection,
  { select, changesOf }: Migration,
  options: {
    readonly apply: boolean;
    readonly onProgress: (outcome: Outcome, path: string) => void;
  },
): Promise<Outcome> {
  const outcome: Outcome = { read: 0, changed: 0, left: [] };

  /** Commits the changes of these documents together, or one half after the other if somebody else has changed one. */
  async function change(documents: readonly StoredDocument[], attempts = 1): Promise<void> {
    const writes = documents.flatMap((update) => {
      const changes = changesOf(update.fields);
      return changes === undefined || changes === 'both' ? [] : [{ update, changes }];
    });
    if (writes.length === 0) return;
    try {
      await database.commit(writes, callLimits());
      outcome.changed += writes.length;
    } catch (error) {
      if (!(error instanceof FirestoreError) || attempts === ATTEMPTS) throw error;
      if (!error.isTransient && !CONFLICTS.has(error.status)) throw error;
      await waitBeforeRetry(attempts, callLimits());
      const middle = Math.ceil(writes.length / 2);
      for (const half of [writes.slice(0, middle), writes.slice(middle)]) {
        const paths = half.map(({ update }) => update.path);
        if (paths.length === 0) continue;
        const { documents: current } = await database.get(paths, select, callLimits());
        const stored = current.filter((document) => document !== undefined);
        // A commit without a response may have been applied.
        outcome.changed += error.hasNoEffect ? 0 : countDone(stored, changesOf);
        await change(stored, attempts + 1);
      }
    }
  }

  for await (const page of documentsOf(database, collection, select)) {
    const changes = page.map(({ fields }) => changesOf(fields));
    outcome.read += page.length;
    outcome.left.push(
      ...page.flatMap(({ path }, index) => (changes[index] === 'both' ? path : [])),
    );
    if (options.apply) await change(page);
    else outcome.changed += changes.filter((each) => typeof each === 'object').length;
    options.onProgress(outcome, page.at(-1)?.path ?? '');
  }
  return outcome;
}

/** Errors after which a document is read again: it was changed, or deleted. */
const CONFLICTS: ReadonlySet<string> = new Set(['FAILED_PRECONDITION', 'NOT_FOUND']);

function countDone(
  documents: readonly StoredDocument[],
  changesOf: Migration['changesOf'],
): number {
  return documents.filter(({ fields }) => changesOf(fields) === undefined).length;
}
