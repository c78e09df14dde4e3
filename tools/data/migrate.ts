/**
 * `npm run migrate -- --project P --collection flash --set isVisible=true --where-missing isVisible` gives a field to the
 * documents that lack it; `--rename order=position` moves the value of `position` to `order`. Only says what it would do,
 * unless `--apply`. Documents that others change meanwhile are read again, so that nothing is overwritten. May be stopped
 * and run again at any time: what is done is passed over. With `FIRESTORE_EMULATOR_HOST` it changes an emulator.
 */
import {
  FirestoreError,
  toValue,
  waitBeforeRetry,
  type Changes,
  type Fields,
  type StoredDocument,
} from '@tattoo-marketplace/firestore-rest';
import { PROJECT, readCommand, requireProject, UserError } from '../checks/commandLine.ts';
import { isNoValue } from '../../functions/src/documents/storedNames.ts';
import { collectionNamed } from './needs.ts';
import { callLimits, documentsOf, openDatabase } from './database.ts';

/** How often a document is tried that others change at the same time. */
const ATTEMPTS = 50;

const values = readCommand('npm run migrate -- --project P --collection C [OPTIONS]', {
  project: PROJECT,
  collection: { type: 'string', value: 'C', help: 'whose documents to change: flash' },
  set: {
    type: 'string',
    value: 'FIELD=VALUE',
    help: 'give documents this field, for example isVisible=true',
  },
  'where-missing': { type: 'string', value: 'FIELD', help: 'with --set: those without this field' },
  rename: {
    type: 'string',
    value: 'NEW=OLD',
    help: 'move the value of a field to another, for example order=position',
  },
  apply: { type: 'boolean', help: 'change the documents; otherwise only count them' },
  database: { type: 'string', value: 'D', help: 'another database than (default)' },
});
const project = requireProject(values.project);
const collection = collectionNamed(values.collection ?? '');
const { select, changesOf } = migration();
const database = await openDatabase(project, values.database);

let read = 0;
let changed = 0;
for await (const page of documentsOf(database, collection, select)) {
  read += page.length;
  for (const { path, fields } of page) if (changesOf(fields) === 'both') leave(path);
  // Firestore takes single writes at once faster than batches.
  if (values.apply) await Promise.all(page.map((document) => change(document)));
  else changed += page.filter(({ fields }) => typeof changesOf(fields) === 'object').length;
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${read} read, ${changed} to change`);
}
if (process.stderr.isTTY) process.stderr.write('\r\x1b[2K');
const done = values.apply ? 'changed' : 'would be changed: add --apply';
console.log(`${collection.path}: ${read} documents read, ${changed} ${done}`);

/** The fields to read, and the changes of a document, if any; `both` if nobody can tell which of two fields counts. */
function migration(): {
  readonly select: readonly string[];
  readonly changesOf: (fields: Fields) => Changes | 'both' | undefined;
} {
  const { set, 'where-missing': missing, rename } = values;
  if (set !== undefined && missing !== undefined && rename === undefined) {
    const [field, text] = pair(set);
    if (!/^\w+$/.test(missing)) {
      throw new UserError('--where-missing must name a field of the document itself.');
    }
    const changes = { [field]: toValue(jsonOrText(text)) };
    return {
      select: [missing],
      changesOf: (fields) => (isMissing(fields, missing) ? changes : undefined),
    };
  }
  if (rename === undefined || set !== undefined) {
    throw new UserError('Say either --set FIELD=VALUE --where-missing FIELD or --rename NEW=OLD.');
  }
  const [field, old] = pair(rename);
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
  return value === undefined || isNoValue(value);
}

function leave(path: string): void {
  console.log(`${path} has both fields and is left as it is.`);
  process.exitCode = 1;
}

/** Changes a document that needs it, on condition that nobody else has changed it since it was read. */
async function change(document: StoredDocument, attempts = 1): Promise<void> {
  const changes = changesOf(document.fields);
  if (typeof changes !== 'object') return;
  try {
    await database.commit([{ update: document, changes }], callLimits());
    changed += 1;
  } catch (error) {
    const canRetry =
      error instanceof FirestoreError &&
      (error.isTransient || ['FAILED_PRECONDITION', 'NOT_FOUND'].includes(error.status));
    if (!canRetry || attempts === ATTEMPTS) throw error;
    await waitBeforeRetry(attempts, callLimits());
    const [again] = (await database.get([document.path], select, callLimits())).documents;
    if (again === undefined) return;
    // A commit whose response was lost may have been applied.
    if (!error.hasNoEffect && changesOf(again.fields) === undefined) changed += 1;
    await change(again, attempts + 1);
  }
}
