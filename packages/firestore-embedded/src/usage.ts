import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Aggregation } from './aggregations.ts';
import { NAME } from './filters.ts';
import { neededIndexes, serves, type CompositeIndex, type NeededIndex } from './indexes.ts';
import type { Query } from './query.ts';

/** The shape of a query without its values. */
export interface QueryShape {
  /** Empty for all collections. */
  readonly collection: string;
  /** Whether it has a limit, or is an aggregation. */
  readonly isBounded: boolean;
  /** The fields that it filters and orders by. */
  readonly fields: readonly string[];
  readonly needs: readonly NeededIndex[];
}

/** What our own client uses of a project, as Firestore bills it (https://firebase.google.com/docs/firestore/pricing). */
export class Usage {
  reads = 0;
  writes = 0;
  deletes = 0;
  /** How often each call was made: `runQuery`, `commit`, … */
  readonly calls: Record<string, number> = {};
  /** Each shape of a query once. */
  readonly queries: QueryShape[] = [];

  readonly #indexes: string | undefined;
  readonly #onMissing: (index: CompositeIndex) => void;

  /** `onMissing` gets each index that a new shape of a query needs and this firestore.indexes.json lacks. */
  constructor(indexes: string | undefined, onMissing: (index: CompositeIndex) => void) {
    this.#indexes = indexes;
    this.#onMissing = onMissing;
  }

  addCall(name: string): void {
    this.calls[name] = (this.calls[name] ?? 0) + 1;
  }

  addWrites(writes: readonly unknown[]): void {
    const deletes = writes.filter((write) => Object.hasOwn(write as object, 'delete')).length;
    this.deletes += deletes;
    this.writes += writes.length - deletes;
  }

  /** A query costs a read per document, an aggregation one per 1000 documents, and both at least one. */
  addQuery(query: Query, found: number, aggregations?: readonly Aggregation[]): void {
    this.reads += Math.max(1, aggregations ? Math.ceil(found / 1000) : found);
    const { collection = '', limit, alternatives, orders } = query;
    const isBounded = aggregations !== undefined || limit !== undefined;
    const needs = neededIndexes(query, aggregations);
    const named = [...alternatives.flat(), ...orders].map(({ field }) => field);
    const fields = [...new Set(named)].filter((field) => field !== NAME);
    const shape = { collection, isBounded, fields, needs };
    if (this.queries.some((known) => isDeepStrictEqual(known, shape))) return;
    this.queries.push(shape);
    if (needs.length === 0 || this.#indexes === undefined) return;
    const file = JSON.parse(readFileSync(this.#indexes, 'utf8')) as { indexes: CompositeIndex[] };
    for (const { equal, ...index } of needs) {
      if (!file.indexes.some((each) => serves(each, { equal, ...index }))) this.#onMissing(index);
    }
  }
}
