/** Applies a guide: a document whose code blocks are files, and a folder with files to copy. */
import { globSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A code block that starts with a comment with the path of a file. */
const FILE = /^```(\w+)\n\/\/ (\S+)\n([^]*?)^```$/gm;

/** The files that docs/extending.md says to copy, below the paths that they get. */
const FILES_TO_COPY = 'docs/reviews';

/**
 * Applies a section of docs/extending.md to a copy of the repository: copies the files of docs/reviews, writes the files of the
 * code blocks, and adds the lines of the `diff` blocks. Returns the paths of these files.
 */
export async function applyGuide(folder: string, heading: string): Promise<string[]> {
  const guide = await readFile(join(folder, 'docs/extending.md'), 'utf8');
  const section = guide.split(/^(?=## )/m).find((each) => each.startsWith(`## ${heading}\n`));
  const blocks = [...(section ?? '').matchAll(FILE)];
  for (const [, language, path = '', code = ''] of blocks) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    const text = language === 'diff' ? withAdded(await readFile(file, 'utf8'), code) : code;
    await writeFile(file, text);
  }
  const copied = globSync('**/*.ts', { cwd: FILES_TO_COPY });
  await cp(join(folder, FILES_TO_COPY), folder, { recursive: true });
  return [...blocks.map(([, , path = '']) => path), ...copied];
}

/**
 * A text with added lines, in parts that `@@` divides: below the line without `+` if there is one, imports above the first
 * import, others at the end.
 */
function withAdded(text: string, diff: string): string {
  return diff.split(/^@@\n/m).reduce((changed, part) => {
    const [context] = /^ .*\n/.exec(part) ?? [];
    const added = part.slice(context?.length ?? 0).replace(/^\+/gm, '');
    if (context !== undefined) return insertBelow(changed, context.slice(1), added);
    return added.startsWith('import ')
      ? changed.replace(/^(?=import )/m, () => added)
      : changed + added;
  }, text);
}

function insertBelow(text: string, line: string, added: string): string {
  if (!text.includes(line)) throw new Error(`The file has no line ${JSON.stringify(line)}.`);
  return text.replace(line, () => line + added);
}
