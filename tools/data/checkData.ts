/**
 * `npm run check:data -- --project P [--database D]`: reads the documents of the service, and prints the required fields that
 * are missing and the values that the service would omit: each once when it is found, and all at the end of a collection,
 * after an error and after Ctrl-C. It only reads. With `FIRESTORE_EMULATOR_HOST` it reads an
 * emulator. It exits with 1 if it finds a problem, or no document at all.
 */
import '../../dev/friendlyErrors.ts';
import { type Collection, containsDocument } from '@tattoo-marketplace/collections';
import type { StoredDocument } from '@tattoo-marketplace/firestore-rest';
import { parseOptions } from '../../dev/commandLine.ts';
import { PROJECT_OPTION, requireProject } from '../checks/projectOption.ts';
import { CALL_TIMEOUT_MS } from '../checks/googleApi.ts';
import { readDeployTarget } from '../checks/deployTarget.ts';
import { COLLECTIONS } from '../../functions/service.ts';
import { connectFirestore } from './connect.ts';
import { CollectionCheck } from './findings.ts';
import { createCollectionQuery, readPages } from './readPages.ts';

const options = parseOptions('npm run check:data -- --project P [OPTIONS]', {
  project: PROJECT_OPTION,
  database: { type: 'string', value: 'D', help: 'another database than DATABASE_ID' },
});
const project = requireProject(options.project);
const { database = readDeployTarget(project).databaseId } = options;
const firestore = await connectFirestore(project, database);

// Ctrl-C ends the check like an error of Firestore: what was found is printed.
const interruption = new AbortController();
process.once('SIGINT', () => {
  interruption.abort(new Error('Interrupted.'));
});

let total = 0;
for (const collection of COLLECTIONS) {
  console.error(`Reading ${collection.path}`);
  const check = new CollectionCheck(collection);
  try {
    for await (const { path, fields } of readDocuments(collection)) {
      for (const problem of check.add(path, fields)) console.error(`  ${path}: ${problem}`);
    }
  } finally {
    printFindings(collection, check);
  }
  total += check.documents;
}
if (total === 0) {
  throw new Error(`The database ${database} of the project ${project} has no documents.`);
}

/** Prints the number of documents that were read, and their problems with the number of documents. */
function printFindings({ path }: Collection, check: CollectionCheck): void {
  console.log(`${path}: ${check.documents} documents`);
  for (const [problem, { documents, examples }] of check.findings) {
    console.log(`  ${String(documents).padStart(7)}  ${problem}`);
    console.log(`           ${examples.join(', ')}${documents > examples.length ? ', …' : ''}`);
    process.exitCode = 1;
  }
}

/** Reads all documents of a collection. */
async function* readDocuments(collection: Collection): AsyncGenerator<StoredDocument> {
  for await (const page of readPages(firestore, createCollectionQuery(collection), () => ({
    signal: AbortSignal.any([interruption.signal, AbortSignal.timeout(CALL_TIMEOUT_MS)]),
    remainingMs: CALL_TIMEOUT_MS,
  })))
    yield* page.filter(({ path }) => containsDocument(collection, path));
}
