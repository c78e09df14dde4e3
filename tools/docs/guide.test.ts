import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { followGuide } from './guide.ts';

test('the sections of docs/extending.md may be followed in any order, and again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'guide-'));
  const index = join(folder, 'functions/src/index.ts');
  for (const file of ['docs/extending.md', 'functions/src/index.ts', 'CHANGELOG.md']) {
    cpSync(file, join(folder, file));
  }
  const sections = ['Add a function that is not an endpoint', 'Add endpoints on a new collection'];

  for (const section of sections) await followGuide(folder, section);
  const once = readFileSync(index, 'utf8');
  for (const section of sections.toReversed()) await followGuide(folder, section);

  expect(once).toMatch(/^export const reviews = /m);
  expect(readFileSync(index, 'utf8')).toBe(once);
  rmSync(folder, { recursive: true });
});
