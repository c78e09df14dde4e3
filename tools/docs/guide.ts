/** Documents whose code blocks are files. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A code block that starts with a comment with the path of a file. */
const FILE = /^```(\w+)\n\/\/ (\S+)\n([^]*?)^```$/gm;

/**
 * Does in a copy of the repository what a section of docs/extending.md says: writes the files of its code blocks, and
 * changes those of its `diff` blocks. Returns their paths.
 */
export async function followGuide(folder: string, heading: string): Promise<string[]> {
  const guide = await readFile(join(folder, 'docs/extending.md'), 'utf8');
  const section = guide.split(/^(?=## )/m).find((each) => each.startsWith(`## ${heading}\n`));
  const files = [...(section ?? '').matchAll(FILE)];
  for (const [, language, path = '', code = ''] of files) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    const text = language === 'diff' ? changed(await readFile(file, 'utf8'), path, code) : code;
    await writeFile(file, text);
  }
  return files.map(([, , path = '']) => path);
}

/**
 * A text after a change as `diff` shows it: lines to add after `+`, to remove after `-`, others after a space; `@@` between
 * places. Lines without others around them may stand anywhere: imports above the first one, others at the end.
 */
function changed(text: string, path: string, diff: string): string {
  return diff.split(/^@@\n/m).reduce((now, place) => {
    const lines = place.split('\n').slice(0, -1);
    const [before = '', after = ''] = ['+', '-'].map((sign) =>
      lines.flatMap((line) => (line.startsWith(sign) ? [] : [`${line.slice(1)}\n`])).join(''),
    );
    if (before === '') {
      return after.startsWith('import ') ? now.replace(/^(?=import )/m, after) : now + after;
    }
    const [start = '', end, ...more] = now.split(before);
    if (end === undefined || more.length > 0) {
      throw new Error(`docs/extending.md: ${path} does not have this once:\n${before}`);
    }
    return `${start}${after}${end}`;
  }, text);
}
