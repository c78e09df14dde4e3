/**
 * Writes a collection with a public list, a creation and a removal, which work: `npm run new -- waitlists`. The template is
 * examples/reviews, with other names.
 */
import '../../dev/friendlyErrors.ts';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { getCollectionId } from '@tattoo-marketplace/collections';
import { ROOT } from '../../dev/root.ts';
import { COLLECTIONS } from '../../functions/service.ts';
import { applyGuide } from '../docs/applyGuide.ts';
import { createRename } from './createRename.ts';

const [name = ''] = process.argv.slice(2);
const rename = createRename(name);
const folder = join(ROOT, 'functions/src', name);
if (COLLECTIONS.some((collection) => getCollectionId(collection) === name) || existsSync(folder))
  throw new Error(
    `There is a collection ${name}, or a folder ${folder}, already. Choose another name.`,
  );

const section = { heading: 'Add a collection', filesToCopy: 'examples/reviews' };
const paths = await applyGuide(ROOT, section, rename);
runNpm('run', '-s', 'generate');
runNpm('exec', '--', 'prettier', '--write', '--log-level=warn', ...paths);
console.log(
  `Written:\n${paths.join('\n')}\n\nNow replace the fields, the texts, and their contract.`,
);

/** Runs an npm command in the root. Exits if it fails. */
function runNpm(...args: readonly string[]): void {
  const { status } = spawnSync('npm', args, { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}
