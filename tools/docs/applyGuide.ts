/** Applies a guide: a document whose code blocks are files, and a folder with files to copy. */
import { globSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A code block whose first line is a comment with the path of a file. */
const FILE_BLOCK = /^```(\w+)\n\/\/ (\S+)\n([^]*?)^```$/gm;

/** A section of the guide. */
interface GuideSection {
  readonly heading: string;
  /** The folder of the files to copy. Its subfolders are their paths in the repository. */
  readonly filesToCopy: string;
}

/**
 * Applies a section of docs/extending.md to the repository in a folder: copies its files, writes the files of the code blocks,
 * and adds the lines of the `diff` blocks. `rename` changes the names in paths and code. Returns the paths of these files.
 */
export async function applyGuide(
  folder: string,
  { heading, filesToCopy }: GuideSection,
  rename: (text: string) => string = (text) => text,
): Promise<string[]> {
  const guide = await readFile(join(folder, 'docs/extending.md'), 'utf8');
  const section = guide.split(/^(?=## )/m).find((text) => text.startsWith(`## ${heading}\n`));
  const blocks = [...rename(section ?? '').matchAll(FILE_BLOCK)];
  for (const [, language, path = '', code = ''] of blocks) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    const text = language === 'diff' ? addLines(await readFile(file, 'utf8'), code) : code;
    await writeFile(file, text);
  }
  const copied: string[] = [];
  for (const source of globSync('**/*.{json,ts}', { cwd: join(folder, filesToCopy) })) {
    const path = rename(source);
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(
      join(folder, path),
      rename(await readFile(join(folder, filesToCopy, source), 'utf8')),
    );
    copied.push(path);
  }
  return [...blocks.map(([, , path = '']) => path), ...copied];
}

/**
 * Adds the lines of a `diff` block to a text. `@@` separates the hunks. The lines of a hunk are added below its first lines,
 * those without `+`. Without such lines, imports are added above the first relative import, and other lines at the end.
 */
function addLines(text: string, diff: string): string {
  return diff.split(/^@@\n/m).reduce((changed, hunk) => {
    const [context] = /^(?: .*\n|\n)+/.exec(hunk) ?? [];
    const added = hunk.slice(context?.length ?? 0).replace(/^\+/gm, '');
    if (context !== undefined) return insertBelow(changed, context.replace(/^ /gm, ''), added);
    return added.startsWith('import ')
      ? changed.replace(/^(?=import .* from '\.)/m, () => added)
      : changed + added;
  }, text);
}

function insertBelow(text: string, lines: string, added: string): string {
  if (!text.includes(lines)) throw new Error(`The file does not have ${JSON.stringify(lines)}.`);
  return text.replace(lines, () => lines + added);
}
