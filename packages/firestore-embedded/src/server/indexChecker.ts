/** Warns of composite indexes that production needs (https://firebase.google.com/docs/firestore/query-data/index-overview). */
import { isInequality, NAME } from '../engine/filters.ts';
import type { ParsedQuery } from '../engine/query.ts';

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
 * Creates a function that checks whether a query has the composite index that production needs: its
 * equality fields in any order, then its sort fields. Calls `onWarning` once for each index that
 * `readIndexes` does not return. An index may end with the document ID, as in production.
 * Single-field indexes always exist. They also serve queries with equality filters alone.
 */
export function createIndexChecker(
  readIndexes: () => readonly CompositeIndex[],
  onWarning: (warning: string) => void,
) {
  const checkedIndexes = new Set<string>();
  return ({ collection = '', allDescendants, filters, orders }: ParsedQuery): void => {
    const equalityFields = filters
      .filter((filter) => !isInequality(filter) && filter.field !== NAME)
      .map(({ field, op }) => ({
        fieldPath: field,
        ...(op.startsWith('ARRAY') ? { arrayConfig: 'CONTAINS' } : { order: 'ASCENDING' }),
      }));
    const sortFields = orders
      .filter(
        ({ field }) =>
          field !== NAME && !equalityFields.some(({ fieldPath }) => fieldPath === field),
      )
      .map(({ field, direction }) => ({ fieldPath: field, order: direction }));
    const queryScope = allDescendants ? 'COLLECTION_GROUP' : 'COLLECTION';
    const index = {
      collectionGroup: collection,
      queryScope,
      fields: [...equalityFields, ...sortFields],
    };
    /** Returns a string that is equal for equivalent indexes: equality fields may be in any order. */
    const formatKey = ({ collectionGroup, queryScope, fields }: CompositeIndex) => {
      const sorted = fields
        .filter(({ fieldPath }) => fieldPath !== NAME)
        .map(({ fieldPath, order, arrayConfig }) => [fieldPath, order, arrayConfig].join());
      const equality = sorted.splice(0, equalityFields.length).sort();
      return [collectionGroup, queryScope, ...equality, ...sorted].join('\n');
    };
    const key = formatKey(index);
    if (sortFields.length === 0 || index.fields.length === 1 || checkedIndexes.has(key)) return;
    checkedIndexes.add(key);
    const warning = `WARNING  A query of ${collection} needs an index in production. Declare its list and run npm run generate, or add to firestore.indexes.json: ${JSON.stringify(index)}`;
    try {
      if (!readIndexes().some((existing) => formatKey(existing) === key)) onWarning(warning);
    } catch (error) {
      // The indexes only warn: the query itself must not fail.
      checkedIndexes.delete(key);
      onWarning(`WARNING  Cannot read the indexes: ${(error as Error).message}`);
    }
  };
}
