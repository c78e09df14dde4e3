/** Finds the differences between two versions of the OpenAPI document that break clients. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../dev/root.ts';

const REDOCLY = join(ROOT, 'node_modules/@redocly/cli/bin/cli.js');

/** An object or a list of an OpenAPI document. */
interface Node {
  readonly [name: string]: Node | undefined;
}

/** A change that `redocly diff` reports. */
interface Change {
  /** The JSON pointer of the changed object. */
  readonly path: string;
  readonly typeName: string;
  readonly kind: 'added' | 'removed' | 'modified';
  /** The part of a semantic version that the change increments. */
  readonly impact: 'major' | 'minor' | 'patch';
  /** The rules that the change violates. */
  readonly verdicts: readonly { readonly message: string }[];
  /** The changed property of the object, if the object was modified. */
  readonly property?: string;
  readonly base?: { readonly value?: unknown };
  readonly revision?: { readonly value?: unknown };
}

/**
 * Describes each change between two documents that breaks clients:
 * `/flash/reorder › put › parameters › limit › schema: Upper bound changed from '<= 100' to '<= 50'.`
 * redocly.yaml configures the rules. Takes a second or two, unless the documents are equal.
 */
export function findBreakingChanges(before: string, after: string): string[] {
  if (before === after) return [];
  return compareDocuments(before, after).flatMap((change) => {
    const location = describeLocation(change.path, change.kind === 'removed' ? before : after);
    return describeBreak(change).map((sentence) => `${location}: ${sentence}`);
  });
}

/** Compares two documents by `redocly diff`, which has no public function. */
function compareDocuments(before: string, after: string): readonly Change[] {
  const folder = mkdtempSync(join(tmpdir(), 'openapi-'));
  try {
    const files = Object.entries({ before, after }).map(([name, document]) => {
      const file = join(folder, `${name}.json`);
      writeFileSync(file, document);
      return file;
    });
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      [REDOCLY, 'diff', ...files, '--format=json', '--fail-on=none'],
      {
        cwd: ROOT,
        env: { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
        encoding: 'utf8',
        maxBuffer: Infinity,
      },
    );
    if (status !== 0) throw new Error(`redocly diff failed:\n${stderr}`);
    return (JSON.parse(stdout) as { changes: readonly Change[] }).changes;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Describes how a change breaks clients. Returns nothing if it does not. */
function describeBreak(change: Change): string[] {
  const { typeName, kind, impact, verdicts, property = '', base, revision } = change;
  if (impact === 'major') return verdicts.map(({ message }) => message);
  // The others are patches for Redocly.
  if (impact === 'patch' && kind === 'removed' && typeName === 'Schema') {
    return ['The field was removed.'];
  }
  if (property === 'default' || (property === 'enum' && hasFewerValues(base, revision))) {
    const [before = 'none', after = 'none'] = [base, revision].map((side) =>
      JSON.stringify(side?.value),
    );
    return [`\`${property}\` changed from ${before} to ${after}.`];
  }
  return [];
}

/** Describes a JSON pointer: `/flash/reorder › put › parameters › limit`. */
function describeLocation(pointer: string, document: string): string {
  const [, , ...segments] = pointer.split('/').map((segment) => segment.replaceAll('~1', '/'));
  let parent = (JSON.parse(document) as Node).paths;
  const names = segments.map((segment) => {
    const node = parent?.[segment];
    const name = Array.isArray(parent) && node?.name;
    parent = node;
    return typeof name === 'string' ? name : segment;
  });
  return names.join(' › ').replace(' › content › application/json › schema', '');
}

/** Returns whether an enum lost a value. In a response, an app may wait for it. */
function hasFewerValues(before: Change['base'], after: Change['revision']): boolean {
  const values = after?.value;
  return (
    Array.isArray(values) &&
    Array.isArray(before?.value) &&
    before.value.some((value) => !values.includes(value))
  );
}
