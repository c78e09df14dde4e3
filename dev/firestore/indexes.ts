/** The composite indexes that production demands (https://firebase.google.com/docs/firestore/query-data/index-overview). */
import { isDeepStrictEqual } from 'node:util';
import { alternativesOf, isInequality, NAME } from './filters.ts';
import type { Query } from './query.ts';

/** A field of an index, as firestore.indexes.json writes it. */
interface IndexField {
  readonly fieldPath: string;
  readonly order?: string;
  readonly arrayConfig?: string;
}

/** A composite index, as firestore.indexes.json writes it. */
export interface CompositeIndex {
  readonly collectionGroup: string;
  readonly queryScope: string;
  readonly fields: readonly IndexField[];
}

/** What an alternative of a query needs an index for. */
export interface IndexNeed extends Omit<CompositeIndex, 'fields'> {
  /** The fields that have one value in the result. An index has them first, in any order. */
  readonly equal: readonly IndexField[];
  /** The fields that the result is ordered by, at least one. */
  readonly ordered: readonly IndexField[];
}

/**
 * What a query needs composite indexes for. Every field has an index of its own, which serves a query about that field
 * only; equality filters are served by merging these.
 */
export function indexNeeds(query: Query, aggregated: readonly string[] = []): IndexNeed[] {
  const { collection: collectionGroup = '', allDescendants, filter, orders } = query;
  const queryScope = allDescendants ? 'COLLECTION_GROUP' : 'COLLECTION';
  const scanned = aggregated.map((field) => ({ field, direction: 'ASCENDING' }));
  return alternativesOf(filter).flatMap((filters) => {
    const equal = new Map<string, IndexField>();
    for (const { field, op } of filters.filter(
      (each) => !isInequality(each) && each.field !== NAME,
    )) {
      const kind = op.startsWith('ARRAY') ? { arrayConfig: 'CONTAINS' } : { order: 'ASCENDING' };
      equal.set(field, { fieldPath: field, ...kind });
    }
    const ordered = new Map<string, IndexField>();
    for (const { field, direction } of [...orders.slice(0, -1), ...scanned]) {
      if (!equal.has(field)) ordered.set(field, { fieldPath: field, order: direction });
    }
    if (ordered.size === 0) return [];
    const name = { fieldPath: NAME, order: orders.at(-1)?.direction ?? 'ASCENDING' };
    const need = withoutName([...ordered.values(), name]);
    if (equal.size + need.length === 1) return [];
    return [{ collectionGroup, queryScope, equal: [...equal.values()], ordered: need }];
  });
}

/** The index that serves a need alone. */
export function indexFor({ equal, ordered, ...index }: IndexNeed): CompositeIndex {
  return { ...index, fields: [...equal, ...ordered] };
}

/** Whether indexes serve a need, several merged. */
export function serves(indexes: readonly CompositeIndex[], need: IndexNeed): boolean {
  const heads = indexes.flatMap((index) => headOf(index, need) ?? []);
  return (
    indexes.some((index) => headOf(index, need)) && need.equal.every((field) => has(heads, field))
  );
}

/** The fields of an index before the order that is needed; undefined if it cannot serve the need, not even with others. */
function headOf(index: CompositeIndex, need: IndexNeed): readonly IndexField[] | undefined {
  const isElsewhere =
    index.collectionGroup !== need.collectionGroup || index.queryScope !== need.queryScope;
  const fields = withoutName(index.fields);
  const at = fields.length - need.ordered.length;
  if (isElsewhere || at < 0 || !isDeepStrictEqual(fields.slice(at), need.ordered)) return undefined;
  const head = fields.slice(0, at);
  return head.every((field) => has(need.equal, field)) ? head : undefined;
}

/** In which order a field comes does not matter if it has one value. */
function has(fields: readonly IndexField[], { fieldPath, arrayConfig }: IndexField): boolean {
  return fields.some((one) => one.fieldPath === fieldPath && one.arrayConfig === arrayConfig);
}

/** Every index ends with the name, in the direction of its last field, whether that is written or not. */
function withoutName(fields: readonly IndexField[]): readonly IndexField[] {
  const [before, last] = fields.slice(-2);
  const isImplied = last?.fieldPath === NAME && last.order === (before?.order ?? 'ASCENDING');
  return isImplied ? fields.slice(0, -1) : fields;
}
