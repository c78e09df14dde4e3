/** The types of documents, queries and writes. */
import type { Fields, Value } from './values.ts';

/** A document, or the fields of it that were read. */
export interface StoredDocument {
  readonly id: string;
  /** The path below the database: `flash/abc`. */
  readonly path: string;
  readonly fields: Fields;
  /** Identifies the version of the document. */
  readonly updateTime: string;
}

/** A position in a list: the path of a document, and the field that orders the list. */
export type Position = Pick<StoredDocument, 'path' | 'fields'>;

/** A range in Firestore's order of values: `from` is included, `to` is not. */
export interface ValueRange {
  readonly from: Value;
  readonly to: Value;
}

/**
 * A query: the documents of a collection that match the equality filters, ordered by a field, then
 * by ID.
 */
export interface Query {
  /** The path of the collection: `flash`, or `conversations/abc/messages`. */
  readonly collection: string;
  /** Reads all collections whose id is `collection`, at any depth. */
  readonly isCollectionGroup?: boolean;
  /** The value that each field must have. */
  readonly where: Readonly<Record<string, string | number | boolean>>;
  /** The field that orders the list. Documents without it are not in the list. */
  readonly orderBy?: string;
  readonly descending?: true;
  /** Reads only documents whose `orderBy` field is in this range. */
  readonly range?: ValueRange;
  /** The fields to read. An empty list reads all fields. */
  readonly select: readonly string[];
}

/** Documents of a list, and what reading them cost. */
export interface QueryResult {
  readonly documents: readonly StoredDocument[];
  readonly reads: number;
  /** The size of the response. */
  readonly bytes: number;
}

/** New field values of a document. An undefined field is deleted, or omitted in a new document. */
export type FieldChanges = Readonly<Record<string, Value | undefined>>;

/** A version of a document. */
export type DocumentVersion = Pick<StoredDocument, 'path' | 'updateTime'>;

/** A change of a field whose result depends on the stored value. The operand is a number, or an array of values. */
export interface FieldTransform {
  readonly field: string;
  readonly operation: 'increment' | 'arrayUnion' | 'arrayRemove';
  readonly operand: Value;
}

/**
 * A write with its precondition: a new document must not exist yet; a changed or deleted document must still have the
 * version that was read; a transformed document must exist. Any copy of a transform takes effect, so it is safe to retry
 * only in a commit with another write whose precondition fails once it was applied.
 */
export type Write =
  | { readonly transform: string; readonly transforms: readonly FieldTransform[] }
  | { readonly create: string; readonly fields: FieldChanges }
  | { readonly update: DocumentVersion; readonly changes: FieldChanges }
  | { readonly delete: DocumentVersion };
