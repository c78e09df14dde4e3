import { isDeepStrictEqual } from 'node:util';
import type { Fields } from '@tattoo-marketplace/firestore-rest';
import { computeDocumentSize } from './documentSize.ts';
import { parseFieldMask, pickPaths, getValue, setValue, type FieldPath } from './fieldPaths.ts';
import { ApiError, invalidArgumentError } from './apiError.ts';
import { parseArray, parseBoolean, parseObject } from './parseJson.ts';
import { applyTransforms } from './transforms.ts';
import {
  DOCUMENT_NAME,
  omitEmptyFields,
  normalizeFields,
  normalizeTimestamp,
  parseId,
  formatTimestamp,
} from './normalize.ts';

const MAX_DOCUMENT_BYTES = 1024 * 1024;

/** A document as Firestore returns it: without `fields` if there are none. */
export interface DocumentResource {
  readonly name: string;
  readonly fields?: Fields;
  readonly createTime: string;
  readonly updateTime: string;
}

/** The documents of one database, in memory. */
export class Database {
  /** `projects/…/databases/…/documents` */
  readonly root: string;
  /** The documents by collection id, then by name. */
  readonly #groups = new Map<string, Map<string, DocumentResource>>();
  #lastTime = 0;

  constructor(root: string) {
    this.root = root;
  }

  /** Returns the document with this name, with the fields of the mask. Throws if the name is invalid. */
  get(name: unknown, mask?: readonly FieldPath[]): DocumentResource | undefined {
    const document = this.#group(parseDocumentName(name, this.root).at(-2)).get(String(name));
    return document && applyMask(document, mask);
  }

  /** Lists the documents of all collections with an id, or of all collections. */
  list(collection?: string): DocumentResource[] {
    const groups = collection === undefined ? this.#groups.values() : [this.#group(collection)];
    return [...groups].flatMap((group) => [...group.values()]);
  }

  /** Returns the current time in microseconds, later than all earlier results. */
  now(): string {
    const withinMillisecond = Number((process.hrtime.bigint() / 1000n) % 1000n);
    this.#lastTime = Math.max(Date.now() * 1000 + withinMillisecond, this.#lastTime + 1);
    const fraction = String(this.#lastTime % 1e6).padStart(6, '0');
    return formatTimestamp(Math.floor(this.#lastTime / 1000), fraction);
  }

  /** Lists the ids directly below a path: of the collections of a document, or of the documents of a collection. */
  listChildIds(path: readonly string[]): string[] {
    const start = `${[this.root, ...path].join('/')}/`;
    const descendants = this.list().filter(({ name }) => name.startsWith(start));
    const ids = descendants.map(({ name }) => name.slice(start.length).split('/')[0] ?? '');
    return [...new Set(ids)].sort();
  }

  /** Applies all writes. If a write is rejected, it throws and applies none. */
  commit(writes: readonly unknown[]): { writeResults: object[]; commitTime: string } {
    const commitTime = this.now();
    const changedDocuments = new Map<string, DocumentResource | undefined>();
    const writeResults = writes.map((write) => {
      const { name, document } = this.#change(write, commitTime, changedDocuments);
      changedDocuments.set(name, document);
      return { updateTime: document?.updateTime };
    });
    for (const [name, document] of changedDocuments) {
      const group = this.#group(parseDocumentName(name, this.root).at(-2));
      if (document) group.set(name, document);
      else group.delete(name);
    }
    return { writeResults, commitTime };
  }

  /**
   * Computes a document after a write, on top of the earlier writes of the commit. A write that
   * changes nothing keeps the update time.
   */
  #change(
    write: unknown,
    time: string,
    changedDocuments: ReadonlyMap<string, DocumentResource | undefined>,
  ): { name: string; document: DocumentResource | undefined } {
    const { currentDocument, ...operation } = parseObject(
      write,
      'update',
      'updateMask',
      'updateTransforms',
      'delete',
      'currentDocument',
    );
    const update = parseObject(operation.update ?? {}, 'name', 'fields');
    const name = String(update.name ?? operation.delete);
    const storedDocument = changedDocuments.has(name) ? changedDocuments.get(name) : this.get(name);
    assertPrecondition(currentDocument, name, storedDocument);
    if (operation.delete !== undefined) {
      if (Object.keys(operation).length > 1) {
        throw invalidArgumentError('A write is either an update or a delete.');
      }
      return { name, document: undefined };
    }
    const newFields = normalizeFields(update.fields ?? {});
    const copyField = (fields: Fields, path: FieldPath) =>
      setValue(fields, path, getValue(newFields, path));
    const mask = parseFieldMask(operation.updateMask);
    const merged = mask?.reduce(copyField, storedDocument?.fields ?? {}) ?? newFields;
    const fields = applyTransforms(merged, parseArray(operation.updateTransforms), time);
    if (storedDocument && isDeepStrictEqual(fields, storedDocument.fields ?? {}))
      return { name, document: storedDocument };
    const size = computeDocumentSize(parseDocumentName(name, this.root), fields);
    if (size > MAX_DOCUMENT_BYTES) {
      throw invalidArgumentError(
        `${name} has ${size} bytes. A document has at most ${MAX_DOCUMENT_BYTES} bytes.`,
      );
    }
    const { createTime = time } = storedDocument ?? {};
    return { name, document: { name, ...omitEmptyFields(fields), createTime, updateTime: time } };
  }

  #group(id = ''): Map<string, DocumentResource> {
    const group = this.#groups.get(id) ?? new Map<string, DocumentResource>();
    this.#groups.set(id, group);
    return group;
  }
}

/** Parses the name of a document into its ids. Throws if an id is invalid, or if the document is in another database. */
function parseDocumentName(name: unknown, root: string): string[] {
  if (typeof name !== 'string' || !DOCUMENT_NAME.test(name) || !name.startsWith(`${root}/`)) {
    throw invalidArgumentError(`Invalid document name for this database: ${String(name)}.`);
  }
  return name
    .slice(root.length + 1)
    .split('/')
    .map(parseId);
}

/** Returns the document with the fields of the mask only. */
export function applyMask(
  document: DocumentResource,
  mask?: readonly FieldPath[],
): DocumentResource {
  const { name, fields = {}, ...times } = document;
  return mask ? { name, ...omitEmptyFields(pickPaths(fields, mask)), ...times } : document;
}

function assertPrecondition(
  precondition: unknown,
  name: string,
  storedDocument?: DocumentResource,
): void {
  const condition = parseObject(precondition ?? {}, 'exists', 'updateTime');
  if (Object.keys(condition).length > 1) {
    throw invalidArgumentError('A precondition has either exists or updateTime.');
  }
  const exists = parseBoolean(condition.exists);
  if (condition.updateTime !== undefined) {
    const updateTime = normalizeTimestamp(condition.updateTime);
    if (updateTime === undefined) throw invalidArgumentError('Invalid updateTime.');
    if (storedDocument?.updateTime !== updateTime) {
      throw new ApiError('FAILED_PRECONDITION', `${name} does not have the required version.`);
    }
  }
  if (exists === true && !storedDocument)
    throw new ApiError('NOT_FOUND', `No document to update: ${name}`);
  if (exists === false && storedDocument) {
    throw new ApiError('ALREADY_EXISTS', `Document already exists: ${name}`);
  }
}
