/**
 * `node tools/generate/otherService.ts FOLDER`: writes the rewrites and indexes of another service of this repository into the
 * firebase.json and firestore.indexes.json of its folder.
 */
import '../../dev/friendlyErrors.ts';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { getDeclaredCollections } from '@tattoo-marketplace/collections';
import { listFunctions } from '@tattoo-marketplace/endpoints';
import { formatUpdate } from './formatUpdate.ts';
import { updateIndexes } from './indexes.ts';
import { updateRewrites } from './rewrites.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('node tools/generate/otherService.ts FOLDER');

const index = pathToFileURL(resolve(folder, 'src/index.ts')).href;
const functions = listFunctions((await import(index)) as object);

const config = join(folder, 'firebase.json');
const indexesFile = join(folder, 'firestore.indexes.json');
writeFileSync(config, await formatUpdate(config, (text) => updateRewrites(text, functions)));
writeFileSync(
  indexesFile,
  await formatUpdate(indexesFile, (text) => updateIndexes(text, getDeclaredCollections())),
);
