import type { Filter, StructuredQuery } from './messages.ts';

/**
 * Adds filters to a query that exclude documents without a field that the query orders by or compares with `!=`. The
 * real service excludes them, because they are not in its indexes; the engine does not. Also, as in the service, a
 * limit of 0 means no limit.
 */
export function asTheServiceReads(query: StructuredQuery): StructuredQuery {
  const ordered = (query.orderBy ?? [])
    .map(({ field }) => field.fieldPath)
    .filter((fieldPath) => fieldPath !== '__name__');
  const filters = [
    ...(query.where ? [query.where] : []),
    ...ordered.map((fieldPath) => or(unary(fieldPath, 'IS_NULL'), unary(fieldPath, 'IS_NOT_NULL'))),
    ...unequal(query.where).map((fieldPath) => unary(fieldPath, 'IS_NOT_NULL')),
  ];
  return {
    ...query,
    limit: query.limit?.value === 0 ? null : (query.limit ?? null),
    where: filters.length === 0 ? null : { compositeFilter: { op: 'AND', filters } },
  };
}

function unary(fieldPath: string, op: string): Filter {
  return { unaryFilter: { field: { fieldPath }, op } };
}

function or(...filters: Filter[]): Filter {
  return { compositeFilter: { op: 'OR', filters } };
}

/** The fields that every document must have because of a `!=` filter; none within an `or`. */
function unequal(filter: Filter | null | undefined): string[] {
  if (filter?.compositeFilter?.op === 'AND') return filter.compositeFilter.filters.flatMap(unequal);
  if (filter?.fieldFilter?.op === 'NOT_EQUAL') return [filter.fieldFilter.field.fieldPath];
  return [];
}
