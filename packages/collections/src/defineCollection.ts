/**
 * Declares collections: their schema, their owner, and the lists that are read. Queries, Firestore
 * indexes and the data check are derived from these declarations. A mistake in a declaration throws
 * when the module is loaded.
 */
import type * as z from 'zod';
import { isDocumentId, unwrapSchema } from '@tattoo-marketplace/endpoints';
import type { Query } from '@tattoo-marketplace/firestore-rest';
import { createDocumentDecoder, type DocumentDecoder } from './documentDecoder.ts';
import {
  assertSupported,
  listFields,
  type DocumentSchema,
  type FieldName,
} from './documentSchema.ts';
import { timeSchemas } from './times.ts';
import { findTimeFields } from './timeFormats.ts';

/** Options of a collection declaration. */
export interface CollectionOptions<Schema extends DocumentSchema> {
  /** A sentence that describes the documents. */
  readonly description: string;
  readonly schema: Schema;
  /** The field with the uid of the only user who may change a document. */
  readonly owner?: FieldName<Schema>;
  /** Further fields that a document needs, and the consequence if one is missing. */
  readonly requiredFields?: Partial<Readonly<Record<FieldName<Schema>, string>>>;
  /**
   * Maps with arbitrary keys. Firestore would index each key, and allows 40 000 index entries per
   * document, so we switch indexing off.
   */
  readonly indexExemptions?: readonly FieldName<Schema>[];
}

/** Options of a list that is read entirely. */
interface ListOptions<Item extends DocumentSchema> {
  /**
   * The schema of its items. It may require the fields by which the list is filtered. Fields that it lacks are not
   * read.
   */
  readonly item: Item;
  /**
   * Fields to filter by. Their values are passed as `params` when the list is read: `filterBy:
   * ['artistId']` → `readPage(list, { artistId }, page)`.
   */
  readonly filterBy?: readonly FieldName<Item>[];
  /**
   * Further fields to filter by if `params` has their values. `npm run generate` writes an index for each combination. A
   * document without such a field is in the list without that filter.
   */
  readonly optionalFilterBy?: readonly FieldName<Item>[];
  /** Fixed values to filter by, with the paths of their fields: `{ 'artistInfo.isVerified': true }`. */
  readonly where?: Query['where'];
}

/** Options of a list that is read page by page. */
interface PagedListOptions<Item extends DocumentSchema> extends ListOptions<Item> {
  /** The field that orders the list; documents with the same value are ordered by id. */
  readonly orderBy: FieldName<Item>;
  readonly descending?: true;
}

/** A type of values to filter by. */
export type FilterType = 'string' | 'number' | 'boolean';

/** A declared list of documents in a collection. */
export interface DocumentList<Item = unknown> {
  /** The path of the collection. */
  readonly path: string;
  readonly filterBy: readonly string[];
  readonly optionalFilterBy: readonly string[];
  /** The types of the values of the `filterBy` and `optionalFilterBy` fields. */
  readonly filterTypes: Readonly<Record<string, FilterType>>;
  readonly where: Query['where'];
  readonly orderBy?: string;
  readonly descending?: true;
  readonly decoder: DocumentDecoder<Item>;
}

/** A list that is read page by page. */
export interface PagedDocumentList<Item = unknown> extends DocumentList<Item> {
  readonly orderBy: string;
}

/** A collection of the service. Its documents are stored under the names of its schema. */
export class Collection<Schema extends DocumentSchema = DocumentSchema> {
  /** `flash`, or `conversations/{conversationId}/messages` */
  readonly path: string;
  readonly description: string;
  readonly schema: Schema;
  readonly owner: string | undefined;
  readonly requiredFields: Readonly<Record<string, string | undefined>>;
  readonly indexExemptions: readonly string[];
  /** The paths of the time fields outside of lists: `updatedAt`, `sourceData.urlRefreshedAt`. */
  readonly timeFields: readonly string[];
  readonly lists: DocumentList[] = [];
  readonly decoder: DocumentDecoder<z.output<Schema>>;

  constructor(path: string, options: CollectionOptions<Schema>) {
    this.path = path;
    this.description = options.description;
    this.schema = options.schema;
    this.owner = options.owner;
    this.requiredFields = options.requiredFields ?? {};
    this.indexExemptions = options.indexExemptions ?? [];
    this.timeFields = findTimeFields(options.schema);
    this.#assertFields('requiredFields', Object.keys(this.requiredFields));
    this.#assertFields('indexExemptions', this.indexExemptions);
    if (this.owner !== undefined) this.#assertOwner(this.owner);
    this.decoder = createDocumentDecoder(options.schema);
  }

  /** Declares a list that is read page by page, with `readPage`. */
  definePagedList<Item extends DocumentSchema>(
    options: PagedListOptions<Item>,
  ): PagedDocumentList<z.output<Item>> {
    const { item, orderBy, descending } = options;
    if (/[\s,]/.test(orderBy)) {
      throw new Error(
        `${this.path}: a list has one sort field, and documents with the same value are sorted by id. orderBy names ${orderBy}.`,
      );
    }
    this.#assertFields('orderBy', [orderBy], item);
    const list = { ...this.#createList(options), orderBy, ...(descending && { descending }) };
    this.lists.push(list);
    return list;
  }

  /** Declares a list that is read entirely, with `readInBatches`. Its documents are ordered by id. */
  defineEntireList<Item extends DocumentSchema>(
    options: ListOptions<Item>,
  ): DocumentList<z.output<Item>> {
    const list = this.#createList(options);
    this.lists.push(list);
    return list;
  }

  #createList<Item extends DocumentSchema>({
    item,
    filterBy = [],
    optionalFilterBy = [],
    where = {},
  }: ListOptions<Item>): DocumentList<z.output<Item>> {
    const filterTypes = {
      ...this.#getFilterTypes('filterBy', filterBy, item),
      ...this.#getFilterTypes('optionalFilterBy', optionalFilterBy, item),
    };
    const whereFields = Object.keys(where);
    assertSupported(this.path, item, [...filterBy, ...whereFields]);
    const decoder = createDocumentDecoder(item);
    const unknownField = whereFields.find((field) => !decoder.fields.includes(field));
    if (unknownField !== undefined) {
      throw new Error(`${this.path} has no field ${unknownField} to filter by.`);
    }
    return { path: this.path, filterBy, optionalFilterBy, filterTypes, where, decoder };
  }

  /** Throws unless the schema has the fields that an option names. */
  #assertFields(
    option: string,
    names: readonly string[],
    schema: DocumentSchema = this.schema,
  ): void {
    const allowed = listFields(schema).map(([name]) => name);
    const unknownField = names.find((name) => !allowed.includes(name));
    if (unknownField === undefined) return;
    throw new Error(
      `${this.path} has no field ${unknownField}, which ${option} names. Its fields: ${allowed.join(', ')}.`,
    );
  }

  /** Throws unless the schema has the field of the owner, and it is a string, as uids are. */
  #assertOwner(owner: string): void {
    if (this.#getFieldTypes('owner', [owner])[owner] === 'string') return;
    throw new Error(
      `${this.path}: owner names the field ${owner}, which is not a string. Name a string.`,
    );
  }

  /** Returns the types of the fields that an option names. Throws unless they can be compared with parameters. */
  #getFilterTypes(option: string, names: readonly string[], schema: DocumentSchema) {
    const types = this.#getFieldTypes(option, names, schema);
    for (const [name, type] of Object.entries(types)) {
      if (type !== undefined) continue;
      throw new Error(
        `${this.path}: ${option} names the field ${name}. Name a string, a number that is not a time, or a boolean.`,
      );
    }
    return types as Record<string, FilterType>;
  }

  /** Returns the types of fields that an option names; undefined for times, lists and maps. */
  #getFieldTypes(option: string, names: readonly string[], schema: DocumentSchema = this.schema) {
    this.#assertFields(option, names, schema);
    const fields = listFields(schema).filter(([name]) => names.includes(name));
    return Object.fromEntries(fields.map(([name, field]) => [name, getFilterType(field)]));
  }
}

/** Returns the type of a field to filter by; undefined for times, which may be `Timestamp`s, lists and maps. */
function getFilterType(field: z.core.$ZodType): FilterType | undefined {
  const schema = unwrapSchema(field);
  const { type } = schema._zod.def;
  if (timeSchemas.get(schema) !== undefined) return undefined;
  if (type === 'enum') return 'string';
  return type === 'string' || type === 'number' || type === 'boolean' ? type : undefined;
}

const declaredCollections = new Map<string, Collection>();

/** Declares a collection. Each collection is declared once. */
export function defineCollection<Schema extends DocumentSchema>(
  path: string,
  options: CollectionOptions<Schema>,
): Collection<Schema> {
  if (declaredCollections.has(path)) {
    throw new Error(
      `The collection ${path} is declared already: import that declaration, and add what it lacks there.`,
    );
  }
  assertCollectionPath(path);
  assertSupported(path, options.schema);
  const collection = new Collection(path, options);
  declaredCollections.set(path, collection);
  return collection;
}

/** Returns all collections that the loaded modules declare. */
export function getDeclaredCollections(): readonly Collection[] {
  return [...declaredCollections.values()];
}

/** Throws unless a path names a collection. Collections and documents alternate in a path. */
function assertCollectionPath(path: string): void {
  const segments = path.split('/');
  const isValid = segments.every((segment, index) =>
    index % 2 === 0 ? isName(segment) : isName(segment) || isParameter(segment),
  );
  if (isValid && segments.length % 2 === 1) return;
  throw new Error(
    `${path} is not the path of a collection. Write it like \`flash\` or \`conversations/{conversationId}/messages\`.`,
  );
}

function isName(segment: string): boolean {
  return isDocumentId(segment) && !/[{}]/.test(segment);
}

function isParameter(segment: string): boolean {
  return /^\{[A-Za-z_]\w*\}$/.test(segment);
}

/** Returns the ID of a collection, which is the end of its path: `messages`. */
export function getCollectionId({ path }: Pick<Collection, 'path'>): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Returns whether a document belongs to a collection: `conversations/abc/messages/def` is a message. */
export function containsDocument(
  { path }: Pick<Collection, 'path'>,
  documentPath: string,
): boolean {
  const ids = documentPath.split('/').slice(0, -1);
  const segments = path.split('/');
  return (
    ids.length === segments.length &&
    segments.every((segment, index) => segment.startsWith('{') || segment === ids[index])
  );
}
