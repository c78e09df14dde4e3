/**
 * `npm run client`: writes the client's CommonJS files after a change of its ES module.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CLIENT, commonJsFiles } from './commonJs.ts';

await mkdir(join(CLIENT, 'cjs'), { recursive: true });
for (const [path, text] of Object.entries(await commonJsFiles(process.cwd()))) {
  await writeFile(join(CLIENT, path), text);
}
