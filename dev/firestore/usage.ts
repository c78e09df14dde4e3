import { isDeepStrictEqual } from 'node:util';
import type { Query } from './query.ts';

/** The shape of a query without its values, which decides the index that it needs. */
export interface QueryShape extends Pick<Query, 'allDescendants' | 'orderBy' | 'select'> {
  /** Empty for all collections. */
  readonly collection: string;
  readonly filters: readonly { readonly field: string; readonly op: string }[];
  readonly limited: boolean;
  readonly aggregated: boolean;
}

/** What a project uses, as Firestore bills it (https://firebase.google.com/docs/firestore/pricing). */
export class Usage {
  reads = 0;
  writes = 0;
  deletes = 0;
  /** How often each call was made: `runQuery`, `commit`, … */
  readonly calls: Record<string, number> = {};
  /** Each shape of a query once. */
  readonly queries: QueryShape[] = [];

  addCall(name: string): void {
    this.calls[name] = (this.calls[name] ?? 0) + 1;
  }

  addWrites(writes: readonly unknown[]): void {
    const deletes = writes.filter((write) => Object.hasOwn(write as object, 'delete')).length;
    this.deletes += deletes;
    this.writes += writes.length - deletes;
  }

  /** A query costs a read per document, a count one per 1000 documents, and both at least one. */
  addQuery(query: Query, found: number, aggregated: boolean): void {
    this.reads += Math.max(1, aggregated ? Math.ceil(found / 1000) : found);
    const { collection = '', allDescendants, orderBy, select, limit } = query;
    const filters = query.filters.map(({ field, op }) => ({ field, op }));
    const limited = limit !== undefined;
    const shape = { collection, allDescendants, filters, orderBy, select, limited, aggregated };
    if (!this.queries.some((known) => isDeepStrictEqual(known, shape))) this.queries.push(shape);
  }
}
