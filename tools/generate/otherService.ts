/**
 * `node tools/generate/otherService.ts FOLDER`: writes the rewrites and indexes of another service of this repository into the
 * firebase.json and firestore.indexes.json of its folder.
 */
import '../friendlyErrors.ts';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { getDeclaredCollections } from '@tattoo-marketplace/collections';
import { listFunctions } from '@tattoo-marketplace/endpoints';
import { updateIndexes } from './indexes.ts';
import { updateRewrites } from './rewrites.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('node tools/generate/otherService.ts FOLDER');

const index = pathToFileURL(resolve(folder, 'src/index.ts')).href;
const functions = listFunctions((await import(index)) as object);

await update('firebase.json', (file) => updateRewrites(file, functions));
await update('firestore.indexes.json', (file) => updateIndexes(file, getDeclaredCollections()));

/** Updates the generated part of a file, and formats the file. */
async function update(name: string, change: (file: string) => string): Promise<void> {
  const filepath = join(folder ?? '', name);
  const text = change(readFileSync(filepath, 'utf8'));
  writeFileSync(filepath, await format(text, { ...(await resolveConfig(filepath)), filepath }));
}
