import { readFileSync } from 'node:fs';
import {
  changedFiles,
  integrityOf,
  PUBLISHED,
  publishedVersions,
  sourceVersion,
} from './clientPackages.ts';

test('the packages of the client that apps may have installed are the ones that were published', () => {
  const integrities = publishedVersions().map((version) => [version, integrityOf(version)]);

  expect(Object.fromEntries(integrities)).toEqual(JSON.parse(readFileSync(PUBLISHED, 'utf8')));
});

test('the newest package has the client of today', () => {
  const newest = publishedVersions().at(-1) ?? '';
  const changed = changedFiles(newest);
  const advice = `The client has changed since ${newest}: raise its version in public/client/package.json, run npm install and npm run client:pack, and add it to CHANGELOG.md.`;

  expect([newest, changed, advice]).toEqual([sourceVersion(), [], advice]);
});
