/**
 * Declares collections: their schema, their owner, and the lists that are read. Queries, Firestore
 * indexes and the data check are derived from these declarations. The types reject fields that the
 * schema does not have.
 */
import * as z from 'zod';
import type { Query } from '@tattoo-marketplace/firestore-rest';
import { createDocumentDecoder, type DocumentDecoder } from './decodeDocument.ts';
import type { DocumentSchema, FieldName } from './documentSchema.ts';
import { findTimeFields, type TimeFields } from './timeFormats.ts';

/** The placeholders of a path: `conversationId` of `conversations/{conversationId}/messages`. */
type PathParam<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParam<Rest>
  : never;

/** Options of a collection declaration. */
interface CollectionOptions<Schema extends DocumentSchema, Owner> extends Pick<
  TimeFields,
  'storesTimestamps'
> {
  /** A sentence that says what its documents are. */
  readonly description: string;
  readonly schema: Schema;
  /** The field with the uid of the user who alone may change a document. */
  readonly owner?: Owner;
  /** Further fields that a document needs, and the consequence if one is missing. */
  readonly requiredFields?: Partial<Readonly<Record<FieldName<Schema>, string>>>;
  /**
   * Maps with arbitrary keys. Firestore would index each key, and allows 40 000 index entries per document, so we switch indexing
   * off.
   */
  readonly indexExemptions?: readonly FieldName<Schema>[];
}

/** A collection as it was declared. */
export interface CollectionDeclaration<
  Schema extends DocumentSchema = DocumentSchema,
  Owner = string | undefined,
> extends TimeFields {
  /** `flash`, or `conversations/{conversationId}/messages` */
  readonly path: string;
  readonly description: string;
  readonly schema: Schema;
  readonly owner: Owner;
  readonly requiredFields?: Readonly<Record<string, string | undefined>>;
  readonly indexExemptions?: readonly string[];
  readonly lists: readonly ListDefinition[];
}

/** A collection of the service. */
export interface Collection<
  Schema extends DocumentSchema,
  Path extends string,
  Owner,
> extends CollectionDeclaration<Schema, Owner> {
  /** Declares a list of its documents. */
  defineList<
    Element extends DocumentSchema = Schema,
    const Of extends FieldName<Element> = never,
    const OrderBy extends FieldName<Element> | undefined = undefined,
  >(
    options: ListOptions<Element, Of, OrderBy>,
  ): ListDefinition<z.output<Element>, Of | PathParam<Path>, OrderBy>;
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
  readonly filterBy?: readonly Of[];
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
export interface ListDefinition<
  Element = unknown,
  Key extends string = string,
  OrderBy = string | undefined,
> {
  /** The path of the collection. */
  readonly path: string;
  readonly filterBy: readonly Key[];
  readonly where: Query['where'];
  readonly orderBy: OrderBy;
  readonly descending?: true | undefined;
  readonly decoder: DocumentDecoder<Element>;
}

const declared: CollectionDeclaration[] = [];

/** All collections that the loaded models declare, each once, by its path. */
export function getDeclaredCollections(): readonly CollectionDeclaration[] {
  return [...Map.groupBy(declared, ({ path }) => path).values()].map((same) =>
    same.reduce(mergeDeclarations),
  );
}

/** Merges two declarations of the same collection by different resources. */
function mergeDeclarations(
  one: CollectionDeclaration,
  other: CollectionDeclaration,
): CollectionDeclaration {
  const schema = z.object({ ...one.schema.shape, ...other.schema.shape });
  return {
    path: one.path,
    description: `${one.description} ${other.description}`,
    schema,
    owner: one.owner ?? other.owner,
    requiredFields: { ...one.requiredFields, ...other.requiredFields },
    indexExemptions: [...(one.indexExemptions ?? []), ...(other.indexExemptions ?? [])],
    timeFields: findTimeFields(schema),
    ...((one.storesTimestamps ?? other.storesTimestamps) && { storesTimestamps: true as const }),
    lists: [...one.lists, ...other.lists],
  };
}

/** The name of a collection: `messages`. */
export function collectionIdOf({ path }: Pick<CollectionDeclaration, 'path'>): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Whether a document with this path belongs to a collection: `conversations/abc/messages/def` to that of messages. */
export function containsDocument(
  { path }: Pick<CollectionDeclaration, 'path'>,
  document: string,
): boolean {
  const ids = document.split('/').slice(0, -1);
  const segments = path.split('/');
  return (
    ids.length === segments.length &&
    segments.every((place, index) => place.startsWith('{') || place === ids[index])
  );
}

/** Declares a collection. Its documents are stored under the names of its schema. */
export function defineCollection<
  Schema extends DocumentSchema,
  const Path extends string,
  const Owner extends FieldName<Schema> | undefined = undefined,
>(path: Path, options: CollectionOptions<Schema, Owner>): Collection<Schema, Path, Owner> {
  const { schema } = options;
  const invalidName = Object.keys(schema.shape).find((name) => !/^[A-Za-z_]\w*$/.test(name));
  if (invalidName !== undefined)
    throw new Error(
      `${invalidName} is not a valid field name: use letters, digits and underscores.`,
    );
  const lists: ListDefinition[] = [];
  const declaration = {
    ...options,
    path,
    timeFields: findTimeFields(schema),
    lists,
    defineList: ({ element = schema, filterBy = [], where = {}, orderBy, descending }) => {
      const filters = [...filterBy, ...Object.keys(where)];
      const decoder = createDocumentDecoder(element, filters);
      const unknown = filters.find((field) => !decoder.fields.includes(field));
      if (unknown !== undefined) throw new Error(`${path} has no field ${unknown} to filter by.`);
      const list = { path, filterBy, where, orderBy, descending, decoder };
      lists.push(list);
      return list;
    },
  } as Collection<Schema, Path, Owner>;
  declared.push(declaration);
  return declaration;
}
