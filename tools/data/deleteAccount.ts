/**
 * `npm run delete:account -- --project P --uid U [--database D] [--dry-run]`: deletes the profile of a user, and all documents
 * that the user owns alone. Bookings, conversations and messages stay: they belong to two people; the extension "Delete User
 * Data" would delete bookings of both. Delete the user of Firebase Auth before. It can be run again. With `FIRESTORE_EMULATOR_HOST` it changes an emulator.
 */
import '../friendlyErrors.ts';
import { getFieldValue, type Query, type StoredDocument } from '@tattoo-marketplace/firestore-rest';
import { parseOptions } from '../../dev/commandLine.ts';
import { COLLECTIONS } from '../../functions/service.ts';
import { bookings } from '../../functions/src/bookings/booking.ts';
import { users } from '../../functions/src/users.ts';
import { PROJECT_OPTION, requireProject } from '../checks/projectOption.ts';
import { CALL_TIMEOUT_MS } from '../checks/googleApi.ts';
import { connectFirestore } from './connect.ts';

/** The number of documents that are deleted at a time. */
const PAGE_SIZE = 100;

const options = parseOptions('npm run delete:account -- --project P --uid U [OPTIONS]', {
  project: PROJECT_OPTION,
  uid: { type: 'string', value: 'U', help: 'the uid of the user' },
  database: { type: 'string', value: 'D', help: 'another database than (default)' },
  'dry-run': { type: 'boolean', help: 'delete nothing, and print what would be deleted' },
});
const { uid, 'dry-run': isDryRun = false, database = '(default)' } = options;
if (!uid) throw new Error('Name the user: --uid UID');
const firestore = await connectFirestore(requireProject(options.project), database);
const verb = isDryRun ? 'would delete' : 'deleted';

for (const { path, owner } of COLLECTIONS) {
  if (owner === undefined || path === bookings.path) continue;
  for await (const documents of readPages(path, owner)) await deleteDocuments(documents);
}
const profile = await firestore.get([`${users.path}/${uid}`], ['userType'], createCallOptions());
await deleteDocuments(profile.documents.filter((document) => document !== undefined));

for (const field of ['artistId', 'clientId']) {
  const { total } = await firestore.count(
    createFieldQuery(bookings.path, field),
    createCallOptions(),
  );
  console.log(`kept ${total} documents of ${bookings.path} with this ${field}`);
}
console.log('kept conversations and messages');

/** Reads the documents of a collection with the user's uid in a field, page by page. */
async function* readPages(path: string, field: string): AsyncGenerator<readonly StoredDocument[]> {
  let after: StoredDocument | undefined;
  do {
    const query = createFieldQuery(path, field);
    const { documents } = await firestore.find(query, PAGE_SIZE, after, createCallOptions());
    yield documents;
    after = documents.at(PAGE_SIZE - 1);
  } while (after !== undefined);
}

function createFieldQuery(collection: string, field: string): Query {
  return { collection, where: { [field]: uid ?? '' }, select: [field, 'sourceData.storageRef'] };
}

/** Deletes documents, unless they have changed since they were read. Prints their paths and those of their files. */
async function deleteDocuments(documents: readonly StoredDocument[]): Promise<void> {
  const writes = documents.map((document) => ({ delete: document }));
  if (!isDryRun && writes.length > 0) await firestore.commit(writes, createCallOptions());
  for (const { path, fields } of documents) {
    console.log(`${verb} ${path}`);
    const file = getFieldValue(fields, 'sourceData.storageRef')?.stringValue;
    if (file !== undefined) console.log(`  delete its file: ${file}`);
  }
}

function createCallOptions() {
  return { signal: AbortSignal.timeout(CALL_TIMEOUT_MS), remainingMs: CALL_TIMEOUT_MS };
}
