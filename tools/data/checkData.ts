/**
 * `npm run check:data -- --project P [--database D]`: reads the documents of the service, and prints the required fields that
 * are missing and the values that the service would omit. It only reads. With `FIRESTORE_EMULATOR_HOST` it reads an
 * emulator. It exits with 1 if it finds a problem, or no document at all.
 */
import '../friendlyErrors.ts';
import {
  type Collection,
  containsDocument,
  getCollectionId,
} from '@tattoo-marketplace/collections';
import {
  createFirestore,
  type Query,
  type StoredDocument,
} from '@tattoo-marketplace/firestore-rest';
import { parseOptions } from '../../dev/commandLine.ts';
import { assertEmulatorReachable, getEmulatorHost } from '../../dev/emulatorHost.ts';
import { PROJECT, requireProject } from '../checks/commandLine.ts';
import { getAccessToken, signIn, useCliProxy, CALL_TIMEOUT_MS } from '../checks/googleApi.ts';
import { COLLECTIONS } from '../../functions/service.ts';
import { CollectionCheck } from './findings.ts';

/** The number of documents on a page. It is small, because each document may have 1 MiB. */
const PAGE_SIZE = 100;

const options = parseOptions('npm run check:data -- --project P [OPTIONS]', {
  project: PROJECT,
  database: { type: 'string', value: 'D', help: 'another database than (default)' },
});
const project = requireProject(options.project);
const { database = '(default)' } = options;
const firestore = createFirestore({ project, database, ...(await connect()) });

let total = 0;
for (const collection of COLLECTIONS) {
  console.error(`Reading ${collection.path}`);
  const check = new CollectionCheck(collection);
  for await (const { path, fields } of readDocuments(collection)) check.add(path, fields);
  total += check.documents;
  console.log(`${collection.path}: ${check.documents} documents`);
  for (const [problem, { documents, examples }] of check.findings) {
    console.log(`  ${String(documents).padStart(7)}  ${problem}`);
    console.log(`           ${examples.join(', ')}${documents > examples.length ? ', …' : ''}`);
    process.exitCode = 1;
  }
}
if (total === 0) {
  throw new Error(`The database ${database} of the project ${project} has no documents.`);
}

/** Connects to the emulator of FIRESTORE_EMULATOR_HOST, or to Google like the Firebase CLI. */
async function connect(): Promise<
  Omit<Parameters<typeof createFirestore>[0], 'project' | 'database'>
> {
  const emulator = getEmulatorHost();
  if (emulator !== undefined) {
    await assertEmulatorReachable();
    return { emulator, tokens: { get: () => 'owner', discard: () => undefined } };
  }
  await signIn(project);
  useCliProxy();
  return { quotaProject: project, tokens: { get: getAccessToken, discard: () => undefined } };
}

/** Reads all documents of a collection. */
async function* readDocuments(definition: Collection): AsyncGenerator<StoredDocument> {
  const collection = getCollectionId(definition);
  const query: Query = {
    collection,
    isCollectionGroup: definition.path !== collection,
    where: {},
    select: [],
  };
  let after: StoredDocument | undefined;
  do {
    const limits = { signal: AbortSignal.timeout(CALL_TIMEOUT_MS), remainingMs: CALL_TIMEOUT_MS };
    const { documents } = await firestore.find(query, PAGE_SIZE, after, limits);
    // A collection group contains all collections with this id, also below other documents.
    yield* documents.filter(({ path }) => containsDocument(definition, path));
    after = documents.at(PAGE_SIZE - 1);
  } while (after !== undefined);
}
