import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Adds the functions of README.md, "Add a function that is no endpoint", to a copy of the project. */
export async function addOwnFunctions(folder: string): Promise<void> {
  const [, section = ''] = (await readFile('README.md', 'utf8')).split(
    '## Add a function that is no endpoint\n',
  );
  const files = section.split('\n## ')[0]?.matchAll(/^```ts\n\/\/ (\S+)\n([^]*?)^```$/gm) ?? [];
  for (const [, path = '', code = ''] of files) {
    const file = join(folder, path);
    const isMap = path === 'functions/src/index.ts';
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, isMap ? withGroups(await readFile(file, 'utf8'), code) : code);
  }
}

/** The deploy map with groups that replace those of the same name. */
function withGroups(map: string, groups: string): string {
  const names = [...groups.matchAll(/^export const (\w+)/gm)].map(([, name = '']) => name);
  const old = new RegExp(`^export const (${names.join('|')}) = [^;]*;\n`, 'gm');
  return `${map.replace(old, '')}${groups}`;
}
