/**
 * Prints the files of public/ that Hosting would publish as JSON. A separate process, because jest's loader cannot load
 * the firebase CLI.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT } from '../emulator/root.ts';

const { listFiles } = createRequire(join(ROOT, 'package.json'))('firebase-tools/lib/listFiles') as {
  readonly listFiles: (folder: string, ignore: readonly string[]) => readonly string[];
};
const { hosting } = JSON.parse(readFileSync('firebase.json', 'utf8')) as {
  hosting: { public: string; ignore: readonly string[] };
};

console.log(JSON.stringify(listFiles(join(ROOT, hosting.public), hosting.ignore)));
