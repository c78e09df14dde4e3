/**
 * `npm run migrate -- --project P --collection flash --set isVisible=true --where-missing isVisible` gives a field to the
 * documents that lack it; `--rename order=position` moves the value of `position` to `order`; `--convert price.amount=text`
 * makes numbers texts. Only says what it would do, unless `--apply`. Documents that others change meanwhile are read again,
 * so that nothing is overwritten. May be stopped and run again at any time: what is done is passed over. With
 * `FIRESTORE_EMULATOR_HOST` it changes an emulator.
 */
import {
  FirestoreError,
  waitBeforeRetry,
  type StoredDocument,
} from '@tattoo-marketplace/firestore-rest';
import { PROJECT, readCommand, requireProject } from '../checks/commandLine.ts';
import { KINDS } from './conversions.ts';
import { callLimits, documentsOf, openDatabase } from './projectDatabase.ts';
import { migrationOf } from './migrations.ts';
import { collectionNamed } from './needs.ts';
import { Left } from './paths.ts';

/** How often a document is tried that others change at the same time. */
const ATTEMPTS = 50;

const values = readCommand('npm run migrate -- --project P --collection C ONE_CHANGE [OPTIONS]', {
  project: PROJECT,
  collection: { type: 'string', value: 'C', help: 'whose documents to change: flash' },
  set: {
    type: 'string',
    value: 'FIELD=VALUE',
    help: 'a change: give documents this field (JSON, or else a text): isVisible=true',
  },
  'where-missing': { type: 'string', value: 'FIELD', help: 'with --set: those without this field' },
  rename: {
    type: 'string',
    value: 'NEW=OLD',
    help: 'a change: move the value of a field to another, for example order=position',
  },
  prefer: {
    type: 'string',
    value: 'FIELD',
    help: 'with --rename: which of the two counts where a document has both',
  },
  convert: {
    type: 'string',
    value: 'FIELD=KIND',
    help: `a change: make values ${KINDS.join(', ')}, for example price.amount=text`,
  },
  apply: { type: 'boolean', help: 'change the documents; otherwise only count them' },
  database: { type: 'string', value: 'D', help: 'another database than (default)' },
});
const project = requireProject(values.project);
const collection = collectionNamed(values.collection ?? '');
const { select, changesOf } = migrationOf(values);
const database = await openDatabase(project, values.database);

let read = 0;
let changed = 0;
/** How many documents are left, by reason. */
const left = new Map<string, number>();

try {
  for await (const page of documentsOf(database, collection, select)) {
    read += page.length;
    // Firestore takes single writes at once faster than batches.
    const migrated = page.map((document) => migrate(document));
    await Promise.allSettled(migrated);
    await Promise.all(migrated);
    progress(`${read} read, ${changed} to change`);
  }
} finally {
  report();
}

function report(): void {
  const leftCount = [...left.values()].reduce((sum, count) => sum + count, 0);
  progress('');
  console.log(
    [
      `${collection.path}: ${read} documents read`,
      `${changed} ${values.apply ? 'changed' : 'would be changed'}`,
      ...(leftCount === 0 ? [] : [`${leftCount} left as they are`]),
    ].join(', ') + (values.apply || changed === 0 ? '' : ': add --apply'),
  );
  for (const [reason, count] of left) console.log(`${String(count).padStart(7)}  ${reason}`);
  process.exitCode = leftCount === 0 ? 0 : 1;
}

/** Changes a document that needs it, on condition that nobody else has changed it since it was read. */
async function migrate(found: StoredDocument): Promise<void> {
  let document = found;
  let isInDoubt = false;
  for (let attempts = 1; ; attempts += 1) {
    try {
      const changes = changesOf(document.fields);
      if (changes && values.apply) {
        await database.commit([{ update: document, changes }], callLimits());
      }
      // A commit whose response was lost may have been applied.
      if (changes ?? isInDoubt) changed += 1;
      return;
    } catch (error) {
      if (error instanceof Left) {
        leave(document, error.message);
        return;
      }
      if (!(error instanceof FirestoreError)) throw error;
      const isOfDocument = ['FAILED_PRECONDITION', 'NOT_FOUND'].includes(error.status);
      const isLast = attempts === ATTEMPTS;
      // One document must not stop the others: it may become too large, or change all the time.
      if (error.status === 'INVALID_ARGUMENT' || (isOfDocument && isLast)) {
        leave(document, `Firestore refuses the change: ${error.status}`, error.message);
        return;
      }
      if (!(isOfDocument || error.isTransient) || isLast) throw error;
      isInDoubt ||= !error.hasNoEffect;
    }
    await waitBeforeRetry(attempts, callLimits());
    const [again] = (await database.get([document.path], select, callLimits())).documents;
    if (again === undefined) return;
    document = again;
  }
}

function leave({ path }: StoredDocument, reason: string, message = reason): void {
  progress('');
  console.log(`${path} is left as it is: ${message}`);
  left.set(reason, (left.get(reason) ?? 0) + 1);
}

function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${text}`);
}
