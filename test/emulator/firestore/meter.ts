import type { Filter, StructuredQuery } from './messages.ts';

/** The billable usage and the number of calls. */
export interface Usage {
  readonly reads: number;
  readonly writes: number;
  readonly deletes: number;
  /** How often each call of the protocol was made: `RunQuery`, `Commit`, … */
  readonly calls: Readonly<Record<string, number>>;
}

/** The shape of a query without its values, which decides the index that it needs. */
export interface QueryShape {
  readonly collection: string;
  readonly allDescendants: boolean;
  readonly filters: readonly { readonly field: string; readonly op: string }[];
  readonly orderBy: readonly { readonly field: string; readonly direction: string }[];
  readonly select: readonly string[] | null;
  readonly limited: boolean;
  readonly aggregated: boolean;
}

/** The shape of a query and how often it ran. */
export interface RecordedQuery extends QueryShape {
  readonly times: number;
}

/** An aggregation costs one read per this many index entries. */
const ENTRIES_PER_READ = 1000;

/** Counts the usage of one project, at the protocol level (https://firebase.google.com/docs/firestore/pricing). */
export class Meter {
  #usage = { reads: 0, writes: 0, deletes: 0 };
  #calls = new Map<string, number>();
  #queries = new Map<string, { shape: QueryShape; times: number }>();

  /** The usage since the start or the last reset. */
  usage(): Usage {
    return { ...this.#usage, calls: Object.fromEntries(this.#calls) };
  }

  /** The queries that have run since the start or the last reset. */
  queries(): RecordedQuery[] {
    return [...this.#queries.values()].map(({ shape, times }) => ({ ...shape, times }));
  }

  reset(): void {
    this.#usage = { reads: 0, writes: 0, deletes: 0 };
    this.#calls.clear();
    this.#queries.clear();
  }

  called(name: string): void {
    this.#calls.set(name, (this.#calls.get(name) ?? 0) + 1);
  }

  /** Documents read by name: a missing one costs as much as a found one. */
  documentsRead(count: number): void {
    this.#usage.reads += count;
  }

  /** A query costs the documents that it returns or skips, and at least one read. */
  queried(query: StructuredQuery, returned: number): void {
    this.#usage.reads += Math.max(1, returned + (query.offset ?? 0));
    this.#ran(queryShape(query, false));
  }

  aggregated(query: StructuredQuery, entries: number): void {
    this.#usage.reads += Math.max(1, Math.ceil(entries / ENTRIES_PER_READ));
    this.#ran(queryShape(query, true));
  }

  written(counts: { writes: number; deletes: number }): void {
    this.#usage.writes += counts.writes;
    this.#usage.deletes += counts.deletes;
  }

  #ran(shape: QueryShape): void {
    const key = JSON.stringify(shape);
    this.#queries.set(key, { shape, times: (this.#queries.get(key)?.times ?? 0) + 1 });
  }
}

/** The shape of a structured query. */
export function queryShape(query: StructuredQuery, aggregated: boolean): QueryShape {
  const [from] = query.from ?? [];
  return {
    collection: from?.collectionId ?? '',
    allDescendants: from?.allDescendants ?? false,
    filters: filtersOf(query.where),
    orderBy: (query.orderBy ?? []).map(({ field, direction }) => ({
      field: field.fieldPath,
      direction: direction ?? 'ASCENDING',
    })),
    select: query.select?.fields?.map(({ fieldPath }) => fieldPath) ?? null,
    limited: Boolean(query.limit?.value),
    aggregated,
  };
}

function filtersOf(filter: Filter | null | undefined): { field: string; op: string }[] {
  if (!filter) return [];
  if (filter.compositeFilter) return filter.compositeFilter.filters.flatMap(filtersOf);
  const single = filter.fieldFilter ?? filter.unaryFilter;
  return single ? [{ field: single.field.fieldPath, op: single.op }] : [];
}
