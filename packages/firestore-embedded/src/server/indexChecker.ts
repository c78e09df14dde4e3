/** The composite indexes that production demands (https://firebase.google.com/docs/firestore/query-data/index-overview). */
import { isInequality, NAME } from '../engine/filters.ts';
import type { Query } from '../engine/query.ts';

/** A composite index, as firestore.indexes.json writes it. */
export interface CompositeIndex {
  readonly collectionGroup: string;
  readonly queryScope: string;
  readonly fields: readonly {
    readonly fieldPath: string;
    readonly order?: string;
    readonly arrayConfig?: string;
  }[];
}

/**
 * Returns a function that checks whether a query has the composite index that production needs: its
 * equality fields in any order, then its sort fields. Calls `onWarning` once for each index missing
 * from those that `readIndexes` returns. An index may end with the document ID: it always does in production. Single-field indexes always exist, and equality filters alone are served by
 * merging them.
 */
export function createIndexChecker(
  readIndexes: () => readonly CompositeIndex[],
  onWarning: (warning: string) => void,
) {
  const known = new Set<string>();
  return ({ collection = '', allDescendants, filters, orders }: Query): void => {
    const equal = filters
      .filter((each) => !isInequality(each) && each.field !== NAME)
      .map(({ field, op }) => ({
        fieldPath: field,
        ...(op.startsWith('ARRAY') ? { arrayConfig: 'CONTAINS' } : { order: 'ASCENDING' }),
      }));
    const ordered = orders
      .filter(({ field }) => field !== NAME && !equal.some((each) => each.fieldPath === field))
      .map(({ field, direction }) => ({ fieldPath: field, order: direction }));
    const queryScope = allDescendants ? 'COLLECTION_GROUP' : 'COLLECTION';
    const index = { collectionGroup: collection, queryScope, fields: [...equal, ...ordered] };
    /** The index as text, with the fields that are compared by equality in a fixed order. */
    const indexKey = ({ fields, ...others }: CompositeIndex) => {
      const texts = fields
        .filter(({ fieldPath }) => fieldPath !== NAME)
        .map((each) => [each.fieldPath, each.order, each.arrayConfig].join());
      const anyOrder = texts.splice(0, equal.length).sort();
      return [others.collectionGroup, others.queryScope, ...anyOrder, ...texts].join('\n');
    };
    const text = indexKey(index);
    if (ordered.length === 0 || index.fields.length === 1 || known.has(text)) return;
    known.add(text);
    const warning = `WARNING  A query of ${collection} needs an index in production. Declare its list, or add to firestore.indexes.json: ${JSON.stringify(index)}`;
    try {
      if (!readIndexes().some((each) => indexKey(each) === text)) onWarning(warning);
    } catch (error) {
      // The indexes only warn: the query itself must not fail.
      known.delete(text);
      onWarning(`WARNING  Cannot read the indexes: ${(error as Error).message}`);
    }
  };
}
