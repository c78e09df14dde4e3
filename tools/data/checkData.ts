/**
 * `npm run check:data -- --project P [--database D] [--collection flash] [--limit 1000]`: reads the documents that
 * the service uses, and says which ones it would not find, and which values it would leave out. Reads only. With
 * `FIRESTORE_EMULATOR_HOST` it reads an emulator. Exits with 1 if it finds something, or no document at all.
 */
import '../plainErrors.ts';
import { PROJECT_ID } from '../../dev/addresses.ts';
import { readOptions } from '../../dev/commandLine.ts';
import { PROJECT, requireProject } from '../checks/commandLine.ts';
import { COLLECTIONS } from '../../functions/service.ts';
import { collectionAt } from './needs.ts';
import { callLimits, documentsOf, openDatabase, queryOf } from './projectDatabase.ts';
import { CollectionCheck, type Result } from './findings.ts';

const values = readOptions('npm run check:data -- --project P [OPTIONS]', {
  project: PROJECT,
  database: { type: 'string', value: 'D', help: 'another database than (default)' },
  collection: {
    type: 'string',
    value: 'C',
    multiple: true,
    help: 'only this collection, for example flash; may be repeated',
  },
  limit: { type: 'string', value: 'N', help: 'at most so many documents of each collection' },
});
const project = requireProject(values.project);
const limit = Number(values.limit ?? Number.MAX_SAFE_INTEGER);
if (!Number.isInteger(limit) || limit < 1)
  throw new Error('--limit must be a number of documents for each collection.');

const collections = values.collection?.map((path) => collectionAt(path)) ?? COLLECTIONS;
const database = await openDatabase(project, values.database);
const results: Result[] = [];

let total = 0;
for (const each of collections) {
  const { total: count } = await database.count(queryOf(each), callLimits());
  total += Math.min(count, limit);
}
if (total === 0) throw new Error(noDocuments());
console.error(
  `This check costs ${total} reads (https://firebase.google.com/docs/firestore/pricing). Ctrl-C stops it.`,
);

for (const each of collections) {
  console.error(`Reading ${each.path}`);
  const check = new CollectionCheck(each);
  for await (const page of documentsOf(database, each, limit)) {
    for (const { path, fields } of page) check.add(path, fields);
  }
  results.push(check.result());
}

const findings = results.flatMap((result) => result.findings);
console.log(report());
process.exitCode = findings.length === 0 ? 0 : 1;

function noDocuments(): string {
  const emulator = process.env.FIRESTORE_EMULATOR_HOST;
  const place = `The database ${values.database ?? '(default)'} of the project ${project}`;
  const hint = emulator ? ` The data of npm start is in the project ${PROJECT_ID}.` : '';
  return `${place} has no documents in ${collections.map(({ path }) => path).join(', ')}.${hint}`;
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
