import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeApiChanges } from './apiChanges.ts';

const DOCUMENT = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Things', version: '1.0.0' },
  paths: {
    '/things': { get: { operationId: 'listThings', responses: { 200: { description: 'Yes.' } } } },
  },
});
const CHANGED_DOCUMENT = DOCUMENT.replace('listThings', 'readThings');
const BREAK =
  "Breaks clients since the last commit: /things › get: `operationId` of operation `GET /things` changed from 'listThings' to 'readThings'.";
const REMINDER = 'The API has changed since the last commit: describe the change in CHANGELOG.md.';

/** The folder of the service, which is inside a repository. */
let root: string;
let repository: string;

beforeEach(() => {
  repository = mkdtempSync(join(tmpdir(), 'repository-'));
  root = join(repository, 'services/tattoo');
  mkdirSync(join(root, 'public'), { recursive: true });
  writeFileSync(join(root, 'public/openapi.json'), DOCUMENT);
  writeFileSync(join(root, 'CHANGELOG.md'), '# Changelog\n');
});

afterEach(() => {
  delete process.env.GIT_TEST_ASSUME_DIFFERENT_OWNER;
  rmSync(repository, { recursive: true });
});

test('describes no change of an equal document', () => {
  commit();

  expect(describeApiChanges(DOCUMENT, root)).toEqual([]);
});

test('describes a breaking change, also in a folder of another repository', () => {
  commit();

  expect(describeApiChanges(CHANGED_DOCUMENT, root)).toEqual([BREAK, REMINDER]);
});

test('requires no line in the changelog if it has changed', () => {
  commit();
  writeFileSync(join(root, 'CHANGELOG.md'), '# Changelog\n\n- A change.\n');

  expect(describeApiChanges(CHANGED_DOCUMENT, root)).toEqual([BREAK]);
});

test('compares nothing without a repository', () => {
  expect(describeApiChanges(CHANGED_DOCUMENT, root)).toEqual([]);
});

test('reports why Git fails in a repository of another user', () => {
  commit();
  process.env.GIT_TEST_ASSUME_DIFFERENT_OWNER = '1';

  expect(describeApiChanges(CHANGED_DOCUMENT, root)).toEqual([
    expect.stringMatching(/^The API was not compared .*: fatal: detected dubious ownership/),
  ]);
});

test('reports why Git fails before the first commit', () => {
  git('init', '-q');

  expect(describeApiChanges(CHANGED_DOCUMENT, root)).toEqual([
    expect.stringMatching(/^The API was not compared .*: fatal: .*HEAD/),
  ]);
});

function commit(): void {
  git('init', '-q');
  git('add', '.');
  git('-c', 'user.name=Test', '-c', 'user.email=test@example.com', 'commit', '-qm', 'Start');
}

function git(...args: string[]): void {
  execFileSync('git', args, { cwd: repository });
}
