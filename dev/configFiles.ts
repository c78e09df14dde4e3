/** Reads and edits firebase.json and firestore.indexes.json, which may contain comments: the Firebase CLI accepts them. */
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import {
  applyEdits,
  findNodeAtLocation,
  modify,
  parse,
  parseTree,
  printParseErrorCode,
  type JSONPath,
  type Node,
  type ParseError,
} from 'jsonc-parser';
import type { CompositeIndex } from '@tattoo-marketplace/firestore-embedded';

export const FIREBASE_JSON = 'firebase.json';
export const INDEXES_JSON = 'firestore.indexes.json';

/** The parts of firebase.json that this repository reads. */
interface FirebaseConfig {
  readonly functions: readonly [{ readonly source: string; readonly codebase: string }];
  readonly firestore: { readonly database?: string };
  readonly hosting: HostingConfig;
}

interface HostingConfig {
  readonly site?: string;
  readonly headers?: readonly {
    readonly headers?: readonly { readonly key: string; readonly value: string }[];
  }[];
  readonly rewrites?: readonly Rewrite[];
}

/** A rewrite of Hosting. A rewrite that leads to a destination or a Cloud Run service has no function. */
export interface Rewrite {
  readonly source?: string;
  readonly function?: { readonly functionId: string };
}

/** The contents of firestore.indexes.json. */
interface IndexFile {
  readonly indexes: readonly CompositeIndex[];
  readonly fieldOverrides: readonly FieldOverride[];
}

/** Replaces the default indexes of a single field. */
export interface FieldOverride {
  readonly collectionGroup: string;
  readonly fieldPath: string;
  readonly indexes: readonly object[];
}

/** Parses JSON with comments. A syntax error names the file and the line. */
export function parseConfigFile(path: string, text = readFileSync(path, 'utf8')): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors);
  const [error] = errors;
  if (error === undefined) return value;
  const line = text.slice(0, error.offset).split('\n').length;
  const reason = printParseErrorCode(error.error)
    .replace(/\B[A-Z]/g, ' $&')
    .toLowerCase();
  throw new Error(`${path}, line ${line}: ${reason}.`);
}

/** Parses firebase.json. Throws if it deploys anything that the tools of this repository do not support. */
export function parseFirebaseConfig(text?: string): FirebaseConfig {
  const config = parseConfigFile(FIREBASE_JSON, text) as Readonly<Record<string, unknown>>;
  const { functions, firestore, hosting } = config;
  if (!Array.isArray(functions)) throw unsupportedError('"functions" must be a list');
  for (const [name, value] of Object.entries({ firestore, hosting })) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw unsupportedError(`"${name}" must be one object, not a list`);
    }
  }
  if ('target' in (hosting as object)) {
    throw unsupportedError('"hosting" must name its site by "site", not by "target"');
  }
  return config as unknown as FirebaseConfig;
}

function unsupportedError(rule: string): Error {
  return new Error(`${FIREBASE_JSON}: ${rule}: npm start and the checks support nothing else.`);
}

/** Parses firestore.indexes.json. */
export function parseIndexes(text?: string): IndexFile {
  const { indexes = [], fieldOverrides = [] } = parseConfigFile(INDEXES_JSON, text) as {
    readonly indexes?: readonly OldIndex[];
    readonly fieldOverrides?: readonly FieldOverride[];
  };
  return { indexes: indexes.map(upgradeIndex), fieldOverrides };
}

/** An index, perhaps in the older format of the Firebase CLI. */
type OldIndex = Omit<CompositeIndex, 'fields'> & {
  readonly collectionId?: string;
  readonly fields: readonly (CompositeIndex['fields'][number] & { readonly mode?: string })[];
};

/** Converts an index to the current format, as the Firebase CLI does. */
function upgradeIndex({ collectionId = '', ...index }: OldIndex): CompositeIndex {
  const fields = index.fields.map(({ mode, ...field }) => {
    if (mode === undefined) return field;
    return {
      ...field,
      ...(mode === 'ARRAY_CONTAINS' ? { arrayConfig: 'CONTAINS' } : { order: mode }),
    };
  });
  const defaults = { collectionGroup: collectionId, queryScope: 'COLLECTION' };
  return { ...defaults, ...index, fields };
}

/**
 * Replaces the value at a path of a JSON text. Keeps all comments outside of it, and the text of an equal value. The text
 * of a list's items that stay is kept, too.
 */
export function replaceJsonValue(text: string, path: JSONPath, value: unknown): string {
  const root = parseTree(text);
  const node = root && findNodeAtLocation(root, path);
  if (node === undefined) return applyEdits(text, modify(text, path, value, {}));
  const sliceText = ({ offset, length }: Node) => text.slice(offset, offset + length);
  const current = sliceText(node);
  if (isDeepStrictEqual(parse(current), value)) return text;
  const currentItems = node.children?.map(sliceText) ?? [];
  const formatItem = (item: unknown) =>
    currentItems.find((currentItem) => isDeepStrictEqual(parse(currentItem), item)) ??
    JSON.stringify(item);
  const replacement = Array.isArray(value)
    ? `[${value.map(formatItem).join(', ')}]`
    : JSON.stringify(value);
  return text.slice(0, node.offset) + replacement + text.slice(node.offset + node.length);
}
