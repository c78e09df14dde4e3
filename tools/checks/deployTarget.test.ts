import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readParameters } from './deployTarget.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'deploy-target-'));
  await mkdir(join(root, 'functions'));
  const projects = { live: 'p', production: 'p', test: 'q' };
  await writeFile(join(root, '.firebaserc'), JSON.stringify({ projects }));
});

afterEach(() => rm(root, { recursive: true }));

/** Writes parameter files. Each sets DATABASE_ID to `db` and its own suffix. */
async function writeParameters(...suffixes: readonly string[]): Promise<void> {
  for (const suffix of suffixes) {
    await writeFile(join(root, `functions/.env${suffix}`), `DATABASE_ID=db${suffix}\n`);
  }
}

test.each([
  { name: 'returns no parameters without a file', suffixes: [], databaseId: undefined },
  { name: 'reads the file of all projects', suffixes: [''], databaseId: 'db' },
  { name: 'prefers the file of the project', suffixes: ['', '.p', '.live'], databaseId: 'db.p' },
  { name: 'prefers the file of an alias', suffixes: ['', '.live', '.test'], databaseId: 'db.live' },
  { name: 'ignores the file of another alias', suffixes: ['', '.test'], databaseId: 'db' },
])('readParameters $name', async ({ suffixes, databaseId }) => {
  await writeParameters(...suffixes);

  expect(readParameters('p', root).DATABASE_ID).toBe(databaseId);
});

test('readParameters rejects files of two aliases of the project', async () => {
  await writeParameters('.live', '.production');

  expect(() => readParameters('p', root)).toThrow(
    'functions/.env.live and functions/.env.production are parameters of the same project, p: keep one of the files.',
  );
});
