import { hash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyEarlierClients } from './earlierClients.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clients-'));
});

afterEach(() => rm(folder, { recursive: true }));

function nameClient(content: string): string {
  return `client-1.0.0-${hash('sha256', content).slice(0, 12)}.tgz`;
}

/** Deploys a folder with a package to a site: the site then has the files of the folder. */
async function deploy(site: Map<string, Buffer>, content: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name));
  await writeFile(join(folder, nameClient(content)), content);
  await copyEarlierClients(folder, (name) => Promise.resolve(site.get(name)));
  site.clear();
  for (const name of await readdir(folder)) site.set(name, await readFile(join(folder, name)));
}

test('the packages of the last 20 deploys stay, the newest first', async () => {
  const site = new Map<string, Buffer>();
  const contents = Array.from({ length: 22 }, (_, index) => `package ${index}`);

  for (const content of contents) await deploy(site, content);
  await deploy(site, 'package 21');

  const expectedNames = contents.slice(2).map(nameClient);
  expect([...site.keys()].sort()).toEqual([...expectedNames, 'clients.json'].sort());
  expect(JSON.parse(String(site.get('clients.json')))).toEqual(expectedNames.toReversed());
  expect(String(site.get(nameClient('package 5')))).toBe('package 5');
});

test.each([
  { name: 'lists a missing file', files: {} },
  { name: 'has another file at its address', files: { [nameClient('old')]: 'other' } },
])('the deploy fails if the site $name', async ({ files }) => {
  const site = new Map(
    Object.entries({ 'clients.json': JSON.stringify([nameClient('old')]), ...files }).map(
      ([name, text]) => [name, Buffer.from(text)],
    ),
  );

  await expect(deploy(site, 'new')).rejects.toThrow(`The live site lists ${nameClient('old')}`);
});
