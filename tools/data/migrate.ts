/**
 * `npm run migrate -- --project P --collection flash --set isVisible=true --where-missing isVisible` gives a field to the
 * documents that lack it; `--rename order=position` moves the value of `position` to `order`. Only says what it would do,
 * unless `--apply`. Documents that others change meanwhile are read again, so that nothing is overwritten. May be stopped
 * and run again at any time: what is done is passed over. With `FIRESTORE_EMULATOR_HOST` it changes an emulator.
 */
import { parseArgs } from 'node:util';
import { requireProject } from '../checks/commandLine.ts';
import { collectionNamed } from './collections.ts';
import { openDatabase } from './database.ts';
import { migrate, migrationOf } from './migration.ts';

const { values } = parseArgs({
  options: {
    project: { type: 'string' },
    database: { type: 'string' },
    collection: { type: 'string' },
    set: { type: 'string' },
    'where-missing': { type: 'string' },
    rename: { type: 'string' },
    apply: { type: 'boolean' },
  },
});
const project = requireProject(values.project);
const collection = collectionNamed(values.collection ?? '');
const migration = migrationOf({ ...values, whereMissing: values['where-missing'] });
const database = await openDatabase(project, values.database);

const { read, changed, left } = await migrate(database, collection, migration, {
  apply: values.apply === true,
  onProgress: ({ read, changed }, path) => {
    if (process.stderr.isTTY) {
      process.stderr.write(`\r\x1b[2K${read} read, ${changed} to change, up to ${path}`);
    }
  },
});
if (process.stderr.isTTY) process.stderr.write('\r\x1b[2K');
console.log(
  `${collection.path}: ${read} documents read, ${changed} ${values.apply ? 'changed' : 'would be changed: add --apply'}`,
);
for (const path of left) console.log(`${path} has both fields and was left as it is.`);
process.exitCode = left.length === 0 ? 0 : 1;
