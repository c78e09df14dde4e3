/**
 * `npm run delete:account -- --project P --uid U [--database D] [--dry-run]`: deletes the profile of a user, and all documents
 * that the user owns alone. Documents of an artist and a client, conversations and messages stay: they belong to two people; the
 * extension "Delete User Data" would delete them. Delete the user of Firebase Auth before. It can be run again. With
 * `FIRESTORE_EMULATOR_HOST` it changes an emulator.
 */
import '../../dev/friendlyErrors.ts';
import type { Collection } from '@tattoo-marketplace/collections';
import { getFieldValue, type StoredDocument } from '@tattoo-marketplace/firestore-rest';
import { parseOptions } from '../../dev/commandLine.ts';
import { COLLECTIONS } from '../../functions/service.ts';
import { users } from '../../functions/src/users.ts';
import { PROJECT_OPTION, requireProject } from '../checks/projectOption.ts';
import { CALL_TIMEOUT_MS } from '../checks/googleApi.ts';
import { readDeployTarget } from '../checks/deployTarget.ts';
import { belongsToTwo, PEOPLE, readAccountDocuments } from './accountDocuments.ts';
import { connectFirestore } from './connect.ts';
import { createCollectionQuery } from './readPages.ts';

const options = parseOptions('npm run delete:account -- --project P --uid U [OPTIONS]', {
  project: PROJECT_OPTION,
  uid: { type: 'string', value: 'U', help: 'the uid of the user' },
  database: { type: 'string', value: 'D', help: 'another database than DATABASE_ID' },
  'dry-run': { type: 'boolean', help: 'delete nothing, and print what would be deleted' },
});
const project = requireProject(options.project);
const { uid, 'dry-run': isDryRun = false } = options;
const { database = readDeployTarget(project).databaseId } = options;
if (!uid) throw new Error('Name the user: --uid UID');
const firestore = await connectFirestore(project, database);
const verb = isDryRun ? 'would delete' : 'deleted';

for (const collection of COLLECTIONS) {
  if (belongsToTwo(collection)) await printKept(collection);
  for await (const documents of readAccountDocuments(firestore, collection, uid, createLimits)) {
    await deleteDocuments(documents);
  }
}
const profile = await firestore.get([`${users.path}/${uid}`], ['userType'], createLimits());
await deleteDocuments(profile.documents.filter((document) => document !== undefined));
console.log('kept conversations and messages');

/** Prints that the documents of a collection stay. */
async function printKept(collection: Collection): Promise<void> {
  const query = createCollectionQuery(collection);
  // A filter of a collection group needs an index of its own.
  if (query.isCollectionGroup) console.log(`kept the documents of ${collection.path}`);
  else {
    for (const field of PEOPLE) {
      const { total } = await firestore.count(
        { ...query, where: { [field]: uid ?? '' } },
        createLimits(),
      );
      console.log(`kept ${total} documents of ${collection.path} with this ${field}`);
    }
  }
}

/** Deletes documents, unless they have changed since they were read. Prints their paths and those of their files. */
async function deleteDocuments(documents: readonly StoredDocument[]): Promise<void> {
  const writes = documents.map((document) => ({ delete: document }));
  if (!isDryRun && writes.length > 0) await firestore.commit(writes, createLimits());
  for (const { path, fields } of documents) {
    console.log(`${verb} ${path}`);
    const file = getFieldValue(fields, 'sourceData.storageRef')?.stringValue;
    if (file !== undefined) console.log(`  delete its file: ${file}`);
  }
}

function createLimits() {
  return { signal: AbortSignal.timeout(CALL_TIMEOUT_MS), remainingMs: CALL_TIMEOUT_MS };
}
