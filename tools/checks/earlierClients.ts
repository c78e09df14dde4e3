import { hash } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The file of a site that lists its packages of the client, the newest first. */
const LIST = 'clients.json';
/** The number of packages that a site keeps. */
const MAX_CLIENTS = 20;
/** A package of the client; its name contains the start of its SHA-256. */
const CLIENT_FILE = /^client-[\w.-]+-([0-9a-f]{12})\.tgz$/;

/**
 * Copies the earlier packages of the client from the live site into a folder with a new one, and lists all of them in
 * `clients.json`. `download` returns a file of the site; undefined if it does not exist.
 */
export async function copyEarlierClients(
  folder: string,
  download: (name: string) => Promise<Buffer | undefined>,
): Promise<void> {
  const list = await download(LIST);
  const liveNames = list === undefined ? [] : parseList(list.toString());
  const newNames = (await readdir(folder)).filter((name) => CLIENT_FILE.test(name));
  const names = [...new Set([...newNames, ...liveNames])].slice(0, MAX_CLIENTS);
  for (const name of names.filter((liveName) => !newNames.includes(liveName))) {
    const file = await download(name);
    if (
      file === undefined ||
      !hash('sha256', file).startsWith(CLIENT_FILE.exec(name)?.[1] ?? '-')
    ) {
      throw new Error(`The live site lists ${name}, but does not have this file.`);
    }
    await writeFile(join(folder, name), file);
  }
  await writeFile(join(folder, LIST), `${JSON.stringify(names, null, 2)}\n`);
}

/** Parses the list of a site. Throws if it is not a list of packages. */
function parseList(text: string): readonly string[] {
  const names = JSON.parse(text) as unknown;
  const isName = (name: unknown): name is string =>
    typeof name === 'string' && CLIENT_FILE.test(name);
  if (Array.isArray(names) && names.every(isName)) return names;
  throw new Error(`${LIST} of the live site is not a list of packages.`);
}
