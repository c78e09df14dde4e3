/**
 * `npm run check:data -- --project P [--database D] [--collection flash] [--limit 1000] [--json]`: reads the documents that
 * the service uses, and says which ones it would not find, and which values it would leave out. Reads only. With
 * `FIRESTORE_EMULATOR_HOST` it reads an emulator. Exits with 1 if it finds something, or no document at all.
 */
import { PROJECT_ID } from '../../dev/addresses.ts';
import { PROJECT, readCommand, requireProject, UserError } from '../checks/commandLine.ts';
import type { AnyCollection } from '@tattoo-marketplace/collections';
import { COLLECTIONS } from '../../functions/service.ts';
import { collectionNamed } from './needs.ts';
import { callLimits, documentsOf, openDatabase, queryOf } from './projectDatabase.ts';
import { CollectionCheck, type Result } from './findings.ts';

/** How many documents of a finding are named, except with --json. */
const EXAMPLES = 5;

const values = readCommand('npm run check:data -- --project P [OPTIONS]', {
  project: PROJECT,
  database: { type: 'string', value: 'D', help: 'another database than (default)' },
  collection: {
    type: 'string',
    value: 'C',
    multiple: true,
    help: 'only this collection, for example flash; may be repeated',
  },
  limit: { type: 'string', value: 'N', help: 'at most so many documents of each collection' },
  json: { type: 'boolean', help: 'print JSON' },
});
const project = requireProject(values.project);
const limit = Number(values.limit ?? Number.MAX_SAFE_INTEGER);
if (!Number.isInteger(limit) || limit < 1)
  throw new UserError('--limit must be a number of documents for each collection.');

const collections = values.collection?.map((name) => collectionNamed(name)) ?? COLLECTIONS;
const database = await openDatabase(project, values.database);
const results: Result[] = [];

let total = 0;
for (const each of collections) {
  const { total: count } = await database.count(queryOf(each), callLimits());
  total += Math.min(count, limit);
}
if (total === 0) throw new UserError(noDocuments());
console.error(
  `This check costs ${total} reads (https://firebase.google.com/docs/firestore/pricing). Ctrl-C stops it.`,
);

let done = 0;
for (const each of collections) {
  const check = new CollectionCheck(each, values.json ? Infinity : EXAMPLES);
  for await (const page of documentsOf(database, each, limit)) {
    for (const { path, fields } of page) check.add(path, fields);
    done += page.length;
    progress(each);
  }
  results.push(check.result());
}
if (process.stderr.isTTY) process.stderr.write('\r\x1b[2K');

const findings = results.flatMap((result) => result.findings);
console.log(values.json ? JSON.stringify({ project, results }, null, 2) : report());
process.exitCode = findings.length === 0 ? 0 : 1;

function noDocuments(): string {
  const emulator = process.env.FIRESTORE_EMULATOR_HOST;
  const place = `The database ${values.database ?? '(default)'} of the project ${project}${emulator ? ` at ${emulator}` : ''}`;
  const hint =
    emulator && project !== PROJECT_ID
      ? ` The data of npm start is in the project ${PROJECT_ID}: --project ${PROJECT_ID}`
      : '';
  return `${place} has no documents in ${collections.map(({ path }) => path).join(', ')}.${hint}`;
}

function progress({ path }: AnyCollection): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${path}: ${done} of ${total} documents`);
}

function report(): string {
  const lines = results.flatMap(({ collection, documents, findings: found }) => [
    `${collection}: ${documents || 'no'} documents${found.length === 0 && documents > 0 ? ', all fit' : ''}`,
    ...found.flatMap(({ kind, what, consequence, documents: count, examples }) => [
      `  ${String(count).padStart(7)}  ${kind.padEnd(10)}  ${what}: ${consequence}`,
      `           ${examples.join(', ')}${count > examples.length ? ', …' : ''}`,
    ]),
  ]);
  return lines.join('\n');
}
