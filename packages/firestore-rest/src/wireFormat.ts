/** The requests and responses of Firestore's REST API. Parsers return undefined if a response is incomplete. */
import type { firestore_v1 as v1 } from '@googleapis/firestore';
import type {
  FieldChanges,
  FieldTransform,
  Position,
  Query,
  StoredDocument,
  ValueRange,
  Write,
} from './types.ts';
import { encodeValue, type Fields, type Value } from './values.ts';

/** A document as the API returns it. */
interface DocumentResource {
  readonly name: string;
  readonly fields?: Fields;
  readonly updateTime: string;
}

/** Returns the full name of a document: `projects/…/databases/…/documents/flash/abc`. */
export function toResourceName(documentsRoot: string, path: string): string {
  return `${documentsRoot}/${path}`;
}

export function decodeDocument(
  documentsRoot: string,
  { name, fields = {}, updateTime }: DocumentResource,
): StoredDocument {
  const id = name.slice(name.lastIndexOf('/') + 1);
  return { id, path: name.slice(documentsRoot.length + 1), fields, updateTime };
}

/** Encodes a write with its precondition. */
export function encodeWrite(documentsRoot: string, write: Write): v1.Schema$Write {
  if ('create' in write) {
    const name = toResourceName(documentsRoot, write.create);
    return {
      update: { name, fields: toGoogleFields(write.fields) },
      currentDocument: { exists: false },
    };
  }
  if ('delete' in write) {
    const { path, updateTime } = write.delete;
    return { delete: toResourceName(documentsRoot, path), currentDocument: { updateTime } };
  }
  if ('transform' in write) {
    return {
      update: { name: toResourceName(documentsRoot, write.transform) },
      // Without a mask, the update would remove all fields.
      updateMask: { fieldPaths: [] },
      updateTransforms: write.transforms.map(encodeTransform),
      currentDocument: { exists: true },
    };
  }
  const { update, changes } = write;
  const name = toResourceName(documentsRoot, update.path);
  return {
    update: { name, fields: toGoogleFields(changes) },
    updateMask: { fieldPaths: Object.keys(changes) },
    currentDocument: { updateTime: update.updateTime },
  };
}

function encodeTransform({ field, operation, operand }: FieldTransform): v1.Schema$FieldTransform {
  const { arrayValue, ...number } = operand;
  switch (operation) {
    case 'increment':
      return { fieldPath: field, increment: toGoogleValue(number) };
    case 'arrayUnion':
      return { fieldPath: field, appendMissingElements: arrayValue as v1.Schema$ArrayValue };
    case 'arrayRemove':
      return { fieldPath: field, removeAllFromArray: arrayValue as v1.Schema$ArrayValue };
  }
}

/** Encodes a query for up to `limit` documents, from the start of the list or after a position. */
export function encodeQuery(
  documentsRoot: string,
  query: Query,
  limit: number,
  after: Position | undefined,
): v1.Schema$StructuredQuery {
  return {
    // Google's emulator treats an empty selection as "select nothing".
    ...(query.select.length > 0 && {
      select: { fields: query.select.map((fieldPath) => ({ fieldPath })) },
    }),
    ...buildStructuredQuery(query),
    ...(after && { startAt: encodeCursor(documentsRoot, query, after) }),
    limit,
  };
}

export function encodeCount(query: Query): v1.Schema$StructuredAggregationQuery {
  return {
    structuredQuery: buildStructuredQuery(query),
    aggregations: [{ alias: 'count', count: {} }],
  };
}

/** Returns the path of the document that contains the collection; empty for a collection at the root. */
export function getParentPath({ collection }: Query): string {
  return collection.slice(0, Math.max(0, collection.lastIndexOf('/')));
}

/** Parses documents, in the order of `names`; undefined if the response does not cover all names. */
export function parseBatchGet(
  response: unknown,
  names: readonly string[],
): (DocumentResource | undefined)[] | undefined {
  const byName = new Map<string, DocumentResource | undefined>();
  for (const { found, missing } of response as { found?: DocumentResource; missing?: string }[]) {
    if (found !== undefined) byName.set(found.name, found);
    if (missing !== undefined) byName.set(missing, undefined);
  }
  if (!names.every((name) => byName.has(name))) return undefined;
  const resources = names.map((name) => byName.get(name));
  const isComplete = resources.every((resource) => !resource || hasNameAndVersion(resource));
  return isComplete ? resources : undefined;
}

/** Parses the documents of a query. Even an empty result has one element. Elements without a document are progress messages. */
export function parseQueryResults(response: unknown, bytes: number) {
  const elements = response as { readonly document?: DocumentResource }[];
  if (elements.length === 0) return undefined;
  const resources = elements.flatMap(({ document }) => document ?? []);
  return resources.every(hasNameAndVersion) ? { resources, bytes } : undefined;
}

/** Returns whether a document has the name and version that later writes need. */
function hasNameAndVersion({ name, updateTime }: DocumentResource): boolean {
  return typeof name === 'string' && typeof updateTime === 'string';
}

export function parseCount(response: unknown): number | undefined {
  const elements = response as v1.Schema$RunAggregationQueryResponse[];
  const counts = elements.map(({ result }) => result?.aggregateFields?.count?.integerValue);
  const total = counts.find((digits) => typeof digits === 'string' && /^\d+$/.test(digits));
  return typeof total === 'string' ? Number(total) : undefined;
}

function buildStructuredQuery({
  collection,
  isCollectionGroup,
  where,
  orderBy,
  descending,
  range,
}: Query): v1.Schema$StructuredQuery {
  const direction = descending ? 'DESCENDING' : 'ASCENDING';
  const filters = Object.entries(where).map(([fieldPath, value]) => ({
    fieldFilter: { field: { fieldPath }, op: 'EQUAL', value: toGoogleValue(encodeValue(value)) },
  }));
  const order = [...(orderBy === undefined ? [] : [orderBy]), '__name__'];
  return {
    from: [
      {
        collectionId: collection.slice(collection.lastIndexOf('/') + 1),
        ...(isCollectionGroup && { allDescendants: true }),
      },
    ],
    ...(filters.length > 0 && { where: { compositeFilter: { op: 'AND', filters } } }),
    orderBy: order.map((fieldPath) => ({ field: { fieldPath }, direction })),
    ...(range && encodeRange(range, descending)),
  };
}

/** Encodes a range as the positions where the list starts and ends. In a descending list, it starts after `to`. */
function encodeRange({ from, to }: ValueRange, descending = false) {
  const positions = [from, to].map((value): v1.Schema$Cursor => {
    return { values: [toGoogleValue(value)], before: !descending };
  });
  const [startAt, endAt] = descending ? positions.reverse() : positions;
  return { startAt, endAt };
}

function encodeCursor(
  documentsRoot: string,
  { orderBy }: Query,
  { path, fields }: Position,
): v1.Schema$Cursor {
  const name = { referenceValue: toResourceName(documentsRoot, path) };
  const keys = orderBy === undefined ? [] : [fields[orderBy] ?? { nullValue: null }];
  return { values: [...keys.map(toGoogleValue), name], before: false };
}

/** Casts fields to Google's type: JSON omits members that are undefined. */
function toGoogleFields(changes: FieldChanges): Record<string, v1.Schema$Value> {
  return changes as Record<string, v1.Schema$Value>;
}

/** Casts a value to Google's type, in which doubles are always numbers. */
function toGoogleValue(value: Value): v1.Schema$Value {
  return value as v1.Schema$Value;
}
