import { isDeepStrictEqual } from 'node:util';
import { maskOf, picked, valueAt, withValue, type Path } from './fields.ts';
import { elements, invalid, members, Refusal } from './refusal.ts';
import { transformed } from './transforms.ts';
import {
  DOCUMENT_NAME,
  isReserved,
  storedFields,
  timeText,
  type Fields,
  type Value,
} from './values.ts';

const MAX_ID_BYTES = 1500;

/** A document, as it is sent: without `fields` if there are none. */
export interface StoredDocument {
  readonly name: string;
  readonly fields?: Fields;
  readonly createTime: string;
  readonly updateTime: string;
}

interface Change {
  readonly name: string;
  /** Undefined after a delete. */
  readonly document: StoredDocument | undefined;
  readonly transformResults: readonly Value[];
}

/** The documents of one database, in memory; empty at first. */
export class Database {
  /** `projects/…/databases/…/documents` */
  readonly root: string;
  readonly #lists = new Map<string, Map<string, StoredDocument>>();
  #lastTime = 0;

  constructor(root: string) {
    this.root = root;
  }

  /** The document of that name, with the fields of the mask; throws if the name is invalid. */
  get(name: unknown, mask?: readonly Path[]): StoredDocument | undefined {
    idsOf(name, this.root);
    const document = this.list('/').get(String(name));
    return document && masked(document, mask);
  }

  /** The documents of a collection (`a/b/c`), of all collections with an id (`/c`), or all documents (`/`), by name. */
  list(key: string): Map<string, StoredDocument> {
    const list = this.#lists.get(key) ?? new Map<string, StoredDocument>();
    this.#lists.set(key, list);
    return list;
  }

  /** The current time in whole microseconds, later than every earlier result. */
  now(): string {
    const withinMillisecond = Number((process.hrtime.bigint() / 1000n) % 1000n);
    this.#lastTime = Math.max(Date.now() * 1000 + withinMillisecond, this.#lastTime + 1);
    const fraction = String(this.#lastTime % 1e6).padStart(6, '0');
    return timeText(Math.floor(this.#lastTime / 1000), fraction);
  }

  /** A copy that stays as it is. */
  snapshot(): Database {
    const copy = new Database(this.root);
    for (const [key, list] of this.#lists) copy.#lists.set(key, new Map(list));
    copy.#lastTime = this.#lastTime;
    return copy;
  }

  /** The names of all documents below a path, as paths from there. */
  below(path: readonly string[]): string[] {
    const start = `${[this.root, ...path].join('/')}/`;
    const names = [...this.list('/').keys()].filter((name) => name.startsWith(start));
    return names.map((name) => name.slice(start.length));
  }

  /** Applies all writes, or none if it throws. */
  commit(writes: readonly unknown[]): { writeResults: object[]; commitTime: string } {
    const commitTime = this.now();
    const changed = new Map<string, StoredDocument | undefined>();
    const writeResults = writes.map((write) => {
      const { name, document, transformResults } = this.#change(write, commitTime, changed);
      changed.set(name, document);
      const updateTime = document?.updateTime;
      return { updateTime, ...(transformResults.length > 0 && { transformResults }) };
    });
    for (const [name, document] of changed) this.#store(name, document);
    return { writeResults, commitTime };
  }

  /** The document after a write, based on what earlier writes of the commit have changed. A write without changes keeps the version. */
  #change(
    write: unknown,
    time: string,
    changed: ReadonlyMap<string, StoredDocument | undefined>,
  ): Change {
    const sent = members(
      write,
      ...(['update', 'updateMask', 'updateTransforms', 'delete', 'currentDocument'] as const),
    );
    if ((sent.update === undefined) === (sent.delete === undefined)) {
      throw invalid('A write is either an update or a delete.');
    }
    const update = members(sent.update ?? {}, 'name', 'fields');
    const name = String(update.name ?? sent.delete);
    idsOf(name, this.root);
    const stored = changed.has(name) ? changed.get(name) : this.list('/').get(name);
    requireCurrent(sent.currentDocument, name, stored);
    const mask = maskOf(sent.updateMask);
    const transforms = elements(sent.updateTransforms);
    if (sent.delete !== undefined) {
      if (mask || transforms.length > 0) throw invalid('A delete has no mask and no transforms.');
      return { name, document: undefined, transformResults: [] };
    }
    const all = storedFields(update.fields ?? {});
    const put = (fields: Fields, path: Path) => withValue(fields, path, valueAt(all, path));
    const merged = mask ? mask.reduce(put, stored?.fields ?? {}) : all;
    const { fields, results: transformResults } = transformed(merged, transforms, time);
    if (stored && isDeepStrictEqual(fields, stored.fields ?? {})) {
      return { name, document: stored, transformResults };
    }
    const { createTime = time } = stored ?? {};
    const document = masked({ name, fields, createTime, updateTime: time });
    return { name, document, transformResults };
  }

  #store(name: string, document: StoredDocument | undefined): void {
    const ids = idsOf(name, this.root);
    for (const key of [ids.slice(0, -1).join('/'), `/${ids.at(-2) ?? ''}`, '/']) {
      if (document) this.list(key).set(name, document);
      else this.list(key).delete(name);
    }
  }
}

/** The ids in the name of a document; throws if one is invalid, or if the document is in another database. */
export function idsOf(name: unknown, root: string): string[] {
  if (typeof name !== 'string' || !DOCUMENT_NAME.test(name) || !name.startsWith(`${root}/`)) {
    throw invalid(`No name of a document in this database: ${String(name)}.`);
  }
  return name
    .slice(root.length + 1)
    .split('/')
    .map(requireId);
}

/** The id of a document or a collection; throws if it is invalid. */
export function requireId(id: unknown): string {
  const isId = typeof id === 'string' && !/^\.{0,2}$|\//.test(id) && !isReserved(id);
  if (isId && Buffer.byteLength(id) <= MAX_ID_BYTES) return id;
  throw invalid(`Invalid or reserved id: ${String(id)}.`);
}

/** The document with the fields of the mask only, as it is sent. */
export function masked(document: StoredDocument, mask?: readonly Path[]): StoredDocument {
  const { name, fields = {}, ...times } = document;
  const shown = mask ? picked(fields, mask) : fields;
  return { name, ...(Object.keys(shown).length > 0 && { fields: shown }), ...times };
}

function requireCurrent(precondition: unknown, name: string, stored?: StoredDocument): void {
  const { exists, updateTime } = members(precondition ?? {}, 'exists', 'updateTime');
  if (exists !== undefined && updateTime !== undefined) throw invalid('Too many preconditions.');
  if (updateTime !== undefined && stored?.updateTime !== updateTime) {
    throw new Refusal('FAILED_PRECONDITION', `${name} does not have the required version.`);
  }
  if (exists === true && !stored) throw new Refusal('NOT_FOUND', `No document to update: ${name}`);
  if (exists === false && stored) {
    throw new Refusal('ALREADY_EXISTS', `Document already exists: ${name}`);
  }
}
