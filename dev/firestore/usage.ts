import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ROOT } from '../root.ts';
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

const INDEXES = join(ROOT, 'firestore.indexes.json');

/** What our own client uses of a project, as Firestore bills it (https://firebase.google.com/docs/firestore/pricing). */
export class Usage {
  reads = 0;
  writes = 0;
  deletes = 0;
  /** How often each call was made: `runQuery`, `commit`, … */
  readonly calls: Record<string, number> = {};
  /** Each shape of a query once. */
  readonly queries: QueryShape[] = [];

  readonly #onNotice: (notice: string) => void;

  /** `onNotice` gets a sentence for each query that lacks an index. */
  constructor(onNotice: (notice: string) => void) {
    this.#onNotice = onNotice;
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
    if (needs.length === 0) return;
    const { indexes } = JSON.parse(readFileSync(INDEXES, 'utf8')) as { indexes: CompositeIndex[] };
    for (const need of needs) {
      if (indexes.some((index) => serves(index, need))) continue;
      const entry = JSON.stringify({ ...need, equal: undefined });
      this.#onNotice(
        `WARNING  A query of ${collection} needs an index in production. Declare its list and run npm run generate, or add to firestore.indexes.json: ${entry}`,
      );
    }
  }
}
