/** Compares the generated OpenAPI document with the committed one. */
import { spawnSync } from 'node:child_process';
import { findBreakingChanges } from './breakingChanges.ts';

const OPENAPI_JSON = 'public/openapi.json';

/**
 * Describes what a developer must know about the changes of the API since the last commit: those that break clients, and a
 * missing line in the changelog. Returns nothing in a copy without Git. `root` is the folder of this repository, which may
 * be inside another one.
 */
export function describeApiChanges(document: string, root: string): string[] {
  // `./` makes the path relative to the folder.
  const committed = runGit(root, 'show', `HEAD:./${OPENAPI_JSON}`);
  if (committed.status !== 0) {
    if (committed.stderr.startsWith('fatal: not a git repository')) return [];
    const reason = committed.error?.message ?? committed.stderr.trim();
    return [`The API was not compared with the last commit: ${reason}`];
  }
  if (committed.stdout === document) return [];
  const changes = findBreakingChanges(committed.stdout, document).map(
    (change) => `Breaks clients since the last commit: ${change}`,
  );
  const changelog = runGit(root, 'diff', '--quiet', 'HEAD', '--', 'CHANGELOG.md');
  return changelog.status === 0
    ? [
        ...changes,
        'The API has changed since the last commit: describe the change in CHANGELOG.md.',
      ]
    : changes;
}

function runGit(cwd: string, ...args: string[]) {
  const env = { ...process.env, LC_ALL: 'C' };
  return spawnSync('git', args, { cwd, env, encoding: 'utf8', maxBuffer: Infinity });
}
