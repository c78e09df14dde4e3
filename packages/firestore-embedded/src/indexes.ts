/** The composite indexes that production demands (https://firebase.google.com/docs/firestore/query-data/index-overview). */
import { isDeepStrictEqual } from 'node:util';
import type { Aggregation } from './aggregations.ts';
import { isInequality, NAME } from './filters.ts';
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

export interface NeededIndex extends CompositeIndex {
  /** How many of the first fields are compared by equality: their order and direction do not matter. */
  readonly equal: number;
}

/**
 * The composite indexes that a query needs: one for each alternative of its filter. Every field has an index of its own,
 * which serves a query about that field only; equality filters are served by merging these.
 */
export function neededIndexes(
  query: Query,
  aggregations: readonly Aggregation[] = [],
): NeededIndex[] {
  const { collection: collectionGroup = '', allDescendants, alternatives, orders } = query;
  const queryScope = allDescendants ? 'COLLECTION_GROUP' : 'COLLECTION';
  const name = { fieldPath: NAME, order: orders.at(-1)?.direction ?? 'ASCENDING' };
  const aggregated = aggregations.map(({ field }) => ({ field, direction: 'ASCENDING' }));
  const scanned = [...orders, ...aggregated].filter(({ field }) => field !== NAME);
  return alternatives.flatMap((filters) => {
    const fields = new Map<string, IndexField>();
    for (const each of filters) {
      if (isInequality(each) || each.field === NAME) continue;
      const isList = each.op.startsWith('ARRAY');
      const kind = isList ? { arrayConfig: 'CONTAINS' } : { order: 'ASCENDING' };
      fields.set(each.field, { fieldPath: each.field, ...kind });
    }
    const equal = fields.size;
    for (const { field, direction } of scanned) {
      if (!fields.has(field)) fields.set(field, { fieldPath: field, order: direction });
    }
    if (fields.size === equal) return [];
    // Every index ends with the name, in the direction of its last field.
    if ([...fields.values()].at(-1)?.order !== name.order) fields.set(NAME, name);
    if (fields.size === 1) return [];
    return [{ collectionGroup, queryScope, fields: [...fields.values()], equal }];
  });
}

/** Whether an index is the one that is needed. */
export function serves(index: CompositeIndex, { equal, ...needed }: NeededIndex): boolean {
  const inOrder = ({ fields, ...rest }: CompositeIndex) => {
    const any = fields.slice(0, equal).map((each) => [each.fieldPath, each.arrayConfig].join());
    return [rest.collectionGroup, rest.queryScope, any.sort(), fields.slice(equal)];
  };
  return isDeepStrictEqual(inOrder(index), inOrder(needed));
}
