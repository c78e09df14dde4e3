import { rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Writes a file in one step, because a running stack may be serving it and another one writing it. */
export async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  const unfinished = join(dirname(path), `.${basename(path)}-${process.pid}`);
  await writeFile(unfinished, content);
  await rename(unfinished, path);
}
