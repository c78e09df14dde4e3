/** Further writes: changes of other documents that are committed with the documents of a request, all or none. */
import {
  encodeValue,
  type FieldTransform,
  type StoredDocument,
  type Write,
} from '@tattoo-marketplace/firestore-rest';
import {
  isDocumentId,
  type RequestField,
  ServiceError,
  unwrapSchema,
} from '@tattoo-marketplace/endpoints';
import { getDocuments } from './database.ts';
import type { Collection } from './defineCollection.ts';
import {
  missingDocumentError,
  parseReference,
  type DocumentReference,
} from './documentReference.ts';
import { listFields, type DocumentSchema, type FieldName } from './documentSchema.ts';
import { encodeNewDocument, type FieldValues } from './encodeChanges.ts';
import { resolveCollectionPath, type Params } from './listQuery.ts';
import { timeSchemas } from './times.ts';

/** A write that is committed with the documents of a request. */
export interface FurtherWrite {
  readonly path: string;
  readonly write: Write;
  /** The fields that it changes; none for a new document. */
  readonly fields: readonly string[];
  /** The field of the request that refers to the document; undefined for a new document. */
  readonly reference: Required<RequestField> | undefined;
}

/** A document to create with the documents of a request. */
export interface FurtherDocument<Schema extends DocumentSchema> {
  readonly collection: Collection<Schema>;
  /** The values of the parameters in the collection's path: `{ conversationId }`. */
  readonly params?: Params;
  /** An ID that follows from the request, such as the `newDocumentId` that the handler received. */
  readonly id: string;
}

/** A stored document, some of whose fields are changed with the documents of a request. */
export interface TransformedDocument<Schema extends DocumentSchema> {
  readonly collection: Collection<Schema>;
  /** The values of the parameters in the collection's path: `{ conversationId }`. */
  readonly params?: Params;
  readonly document: DocumentReference;
}

/** Changes of fields whose result depends on the stored value, which need not be read. */
export interface Transforms<Schema extends DocumentSchema> {
  /** Numbers to add. A missing number counts as 0. */
  readonly increment?: Readonly<Partial<Record<FieldName<Schema>, number>>>;
  /** Values to add to lists that lack them. */
  readonly arrayUnion?: Readonly<Partial<Record<FieldName<Schema>, readonly unknown[]>>>;
  /** Values to remove from lists, as often as they occur. */
  readonly arrayRemove?: Readonly<Partial<Record<FieldName<Schema>, readonly unknown[]>>>;
}

/**
 * Plans the creation of a document. The fields in `serverTimestamps` are set to the server's time. The commit throws
 * `already-exists` if a document has that ID.
 */
export function planCreation<Schema extends DocumentSchema>(
  { collection, params = {}, id }: FurtherDocument<Schema>,
  values: FieldValues<Schema>,
  serverTimestamps: readonly FieldName<Schema>[],
): FurtherWrite {
  const path = resolveDocumentPath(collection, params, id);
  const fields = encodeNewDocument(collection, values, serverTimestamps);
  return { path, write: { create: path, fields }, fields: [], reference: undefined };
}

/**
 * Plans changes of a stored document. The commit throws `not-found` if the document does not exist. Other fields, such as
 * `updatedAt`, do not change.
 */
export function planTransforms<Schema extends DocumentSchema>(
  { collection, params = {}, document }: TransformedDocument<Schema>,
  { increment, arrayUnion, arrayRemove }: Transforms<Schema>,
): FurtherWrite {
  const reference = parseReference(document);
  const path = resolveDocumentPath(collection, params, reference.id);
  const transforms = [
    ...createTransforms(collection, 'increment', increment),
    ...createTransforms(collection, 'arrayUnion', arrayUnion),
    ...createTransforms(collection, 'arrayRemove', arrayRemove),
  ];
  const fields = transforms.map(({ field }) => field);
  if (fields.length === 0 || new Set(fields).size < fields.length) {
    throw new Error(`The transforms of ${path} must name at least one field, and each field once.`);
  }
  return { path, write: { transform: path, transforms }, fields, reference };
}

/** Returns the path of a document. Throws if its ID is invalid, also in code with unchecked types. */
function resolveDocumentPath({ path }: Collection, params: Params, id: unknown): string {
  if (typeof id === 'string' && isDocumentId(id)) {
    return `${resolveCollectionPath(path, params)}/${id}`;
  }
  throw new Error(`A document of ${path} needs a document ID.`);
}

/** The types of the fields that transforms change. */
const TRANSFORM_TYPES = { increment: 'number', arrayUnion: 'array', arrayRemove: 'array' };

/** Creates the transforms of one type. Throws if a field or an operand has another type. */
function createTransforms(
  { path, schema }: Collection,
  operation: keyof typeof TRANSFORM_TYPES,
  operands: Readonly<Record<string, number | readonly unknown[] | undefined>> = {},
): FieldTransform[] {
  return Object.entries(operands).map(([field, operand]) => {
    const type = TRANSFORM_TYPES[operation];
    const [, fieldSchema] = listFields(schema).find(([name]) => name === field) ?? [];
    const fieldType = fieldSchema && unwrapSchema(fieldSchema);
    const isField = fieldType?._zod.def.type === type && timeSchemas.get(fieldType) === undefined;
    const isOperand = type === 'number' ? Number.isFinite(operand) : Array.isArray(operand);
    if (isField && isOperand) return { field, operation, operand: encodeValue(operand) };
    throw new Error(
      `${operation} of ${field} in ${path} needs a field and an operand of the type ${type}.`,
    );
  });
}

/**
 * Returns whether a document that further writes create exists. `documents` are theirs, as read after a commit that
 * failed. Throws `not-found` if a document that they change is missing.
 */
export function hasTakenDocument(
  furtherWrites: readonly FurtherWrite[],
  documents: readonly (StoredDocument | undefined)[],
): boolean {
  const isTaken = furtherWrites.some(
    ({ reference }, index) => reference === undefined && documents[index] !== undefined,
  );
  const missing = furtherWrites.find(
    ({ reference }, index) => reference !== undefined && documents[index] === undefined,
  );
  if (!isTaken && missing?.reference !== undefined) throw missingDocumentError(missing.reference);
  return isTaken;
}

/** Throws the error of further writes that cannot succeed, after a commit that failed: `already-exists` or `not-found`. */
export async function assertPossible(furtherWrites: readonly FurtherWrite[]): Promise<void> {
  if (furtherWrites.length === 0) return;
  const paths = furtherWrites.map(({ path }) => path);
  // A mask without fields would read all of them.
  const mask = new Set(['id', ...furtherWrites.flatMap(({ fields }) => fields)]);
  if (!hasTakenDocument(furtherWrites, await getDocuments(paths, [...mask]))) return;
  throw new ServiceError('already-exists', 'The document exists already.');
}
