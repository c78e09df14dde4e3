/**
 * Declares collections: their schema, their owner, and the lists that are read. Queries, Firestore
 * indexes and the data check are derived from these declarations. The types reject fields that the
 * schema does not have.
 */
import * as z from 'zod';
import type { Query } from '@tattoo-marketplace/firestore-rest';
import { documentReader, type DocumentReader, type DocumentSchema } from './documentReader.ts';
import { timesIn, type StoredTimes } from './storedTimes.ts';

/** The name of a field: `order`. */
export type FieldOf<Schema extends DocumentSchema> = Exclude<keyof Schema['shape'] & string, 'id'>;

/** The placeholders of a path: `conversationId` of `conversations/{conversationId}/messages`. */
type Placeholder<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;

/** Options of a collection declaration. */
interface CollectionOptions<Schema extends DocumentSchema, Owner> extends Pick<
  StoredTimes,
  'storesTimestamps'
> {
  /** A sentence that says what its documents are. */
  readonly purpose: string;
  readonly schema: Schema;
  /** The field with the uid of the user who alone may change a document. */
  readonly owner?: Owner;
  /** Further fields that a document needs, and the consequence if one is missing. */
  readonly required?: Partial<Readonly<Record<FieldOf<Schema>, string>>>;
  /**
   * Maps with arbitrary keys. Firestore would index each key, and allows 40 000 index entries per document, so we switch indexing
   * off.
   */
  readonly unindexed?: readonly FieldOf<Schema>[];
}

/** A collection as it was declared. */
export interface AnyCollection<
  Schema extends DocumentSchema = DocumentSchema,
  Owner = string | undefined,
> extends StoredTimes {
  /** `flash`, or `conversations/{conversationId}/messages` */
  readonly path: string;
  readonly purpose: string;
  readonly schema: Schema;
  readonly owner: Owner;
  readonly required?: Readonly<Record<string, string | undefined>>;
  readonly unindexed?: readonly string[];
  readonly lists: readonly List[];
}

/** A collection of the service. */
export interface Collection<
  Schema extends DocumentSchema,
  Path extends string,
  Owner,
> extends AnyCollection<Schema, Owner> {
  /** Declares a list of its documents. */
  list<
    Element extends DocumentSchema = Schema,
    const Of extends FieldOf<Element> = never,
    const OrderBy extends FieldOf<Element> | undefined = undefined,
  >(
    options: ListOptions<Element, Of, OrderBy>,
  ): List<z.output<Element>, Of | Placeholder<Path>, OrderBy>;
}

interface ListOptions<Element, Of, OrderBy> {
  /**
   * The schema of its elements: that of the collection, if it is not given. It may require the fields by which the list is
   * filtered, and lack fields that are not to be read.
   */
  readonly element?: Element;
  /**
   * Fields to filter by, whose values are passed as `params` when the list is read: `filterBy:
   * ['artistId']` → `readPage(list, { artistId }, page)`.
   */
  readonly of?: readonly Of[];
  /** The values that fields of its documents have, by path: `artistInfo.isVerified`. */
  readonly where?: Query['where'];
  /** The field that orders the list, then its documents by id. Needed to read it in pages. */
  readonly orderBy?: OrderBy;
  readonly descending?: true;
}

/**
 * A declared list of documents in a collection. `Param` is the union of its parameter names:
 * `filterBy` fields and path placeholders.
 */
export interface List<
  Element = unknown,
  Key extends string = string,
  OrderBy = string | undefined,
> {
  /** The path of the collection. */
  readonly path: string;
  readonly of: readonly Key[];
  readonly where: Query['where'];
  readonly orderBy: OrderBy;
  readonly descending?: true | undefined;
  readonly reader: DocumentReader<Element>;
}

const declared: AnyCollection[] = [];

/** All collections that the loaded models declare, each once, by its path. */
export function declaredCollections(): readonly AnyCollection[] {
  return [...Map.groupBy(declared, ({ path }) => path).values()].map((same) => same.reduce(merged));
}

/** Merges two declarations of the same collection by different resources. */
function merged(one: AnyCollection, other: AnyCollection): AnyCollection {
  const schema = z.object({ ...one.schema.shape, ...other.schema.shape });
  return {
    path: one.path,
    purpose: `${one.purpose} ${other.purpose}`,
    schema,
    owner: one.owner ?? other.owner,
    required: { ...one.required, ...other.required },
    unindexed: [...(one.unindexed ?? []), ...(other.unindexed ?? [])],
    times: timesIn(schema),
    ...((one.storesTimestamps ?? other.storesTimestamps) && { storesTimestamps: true as const }),
    lists: [...one.lists, ...other.lists],
  };
}

/** The name of a collection: `messages`. */
export function nameOf({ path }: Pick<AnyCollection, 'path'>): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Whether a document with this path belongs to a collection: `conversations/abc/messages/def` to that of messages. */
export function isDocumentOf({ path }: Pick<AnyCollection, 'path'>, document: string): boolean {
  const names = document.split('/').slice(0, -1);
  const places = path.split('/');
  return (
    names.length === places.length &&
    places.every((place, index) => place.startsWith('{') || place === names[index])
  );
}

/** Declares a collection. Its documents are stored under the names of its schema. */
export function collection<
  Schema extends DocumentSchema,
  const Path extends string,
  const Owner extends FieldOf<Schema> | undefined = undefined,
>(path: Path, options: CollectionOptions<Schema, Owner>): Collection<Schema, Path, Owner> {
  const { schema } = options;
  const odd = Object.keys(schema.shape).find((name) => !/^[A-Za-z_]\w*$/.test(name));
  if (odd !== undefined)
    throw new Error(`${odd} is not a valid field name: use letters, digits and underscores.`);
  const lists: List[] = [];
  const made = {
    ...options,
    path,
    times: timesIn(schema),
    lists,
    list: ({ element = schema, of = [], where = {}, orderBy, descending }) => {
      const filters = [...of, ...Object.keys(where)];
      const reader = documentReader(element, filters);
      const unknown = filters.find((field) => !reader.fields.includes(field));
      if (unknown !== undefined) throw new Error(`${path} has no field ${unknown} to filter by.`);
      const list = { path, of, where, orderBy, descending, reader };
      lists.push(list);
      return list;
    },
  } as Collection<Schema, Path, Owner>;
  declared.push(made);
  return made;
}
