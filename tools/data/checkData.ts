/**
 * `npm run check:data -- --project P [--database D]`: reads the documents that the service uses, and says which required
 * fields are missing, and which values it would leave out. Reads only. With `FIRESTORE_EMULATOR_HOST` it reads an
 * emulator. Exits with 1 if it finds something, or no document at all.
 */
import '../friendlyErrors.ts';
import { type Collection, containsDocument, collectionIdOf } from '@tattoo-marketplace/collections';
import { createFirestore, type StoredDocument } from '@tattoo-marketplace/firestore-rest';
import { parseOptions } from '../../dev/commandLine.ts';
import { PROJECT, requireProject } from '../checks/commandLine.ts';
import { accessToken, signIn, CALL_TIMEOUT_MS } from '../checks/googleApi.ts';
import { COLLECTIONS } from '../../functions/service.ts';
import { CollectionCheck } from './findings.ts';

/** Documents may have 1 MiB each. */
const PAGE_SIZE = 100;

const values = parseOptions('npm run check:data -- --project P [OPTIONS]', {
  project: PROJECT,
  database: { type: 'string', value: 'D', help: 'another database than (default)' },
});
const project = requireProject(values.project);
const { database = '(default)' } = values;
const emulator = process.env.FIRESTORE_EMULATOR_HOST;
if (!emulator) await signIn(project);
const firestore = createFirestore({
  project,
  database,
  tokens: { get: emulator ? () => 'owner' : accessToken, discard: () => undefined },
  ...(emulator ? { emulator } : { quotaProject: project }),
});

let total = 0;
for (const collection of COLLECTIONS) {
  console.error(`Reading ${collection.path}`);
  const check = new CollectionCheck(collection);
  for await (const { path, fields } of documentsOf(collection)) check.add(path, fields);
  total += check.documents;
  console.log(`${collection.path}: ${check.documents} documents`);
  for (const [what, { documents, examples }] of check.findings) {
    console.log(`  ${String(documents).padStart(7)}  ${what}`);
    console.log(`           ${examples.join(', ')}${documents > examples.length ? ', …' : ''}`);
    process.exitCode = 1;
  }
}
if (total === 0) {
  throw new Error(`The database ${database} of the project ${project} has no documents.`);
}

/** All documents of a collection. */
async function* documentsOf(stored: Collection): AsyncGenerator<StoredDocument> {
  const collection = collectionIdOf(stored);
  const query = { collection, isGroup: stored.path !== collection, where: {}, select: [] };
  let after: StoredDocument | undefined;
  do {
    const limits = { signal: AbortSignal.timeout(CALL_TIMEOUT_MS), remainingMs: CALL_TIMEOUT_MS };
    const { documents } = await firestore.find(query, PAGE_SIZE, after, limits);
    // A collection of the same name may lie elsewhere.
    yield* documents.filter(({ path }) => containsDocument(stored, path));
    after = documents.at(PAGE_SIZE - 1);
  } while (after !== undefined);
}
