import type { Filter, StructuredQuery } from './messages.ts';

/**
 * The query with filters that leave out documents without a field which the query orders by or compares with `!=`. The
 * service leaves them out, as its indexes do not hold them; the engine keeps them. And as the service does it: a limit
 * of 0 is none.
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

/** The fields that every document must hold unequal to something; within an `or` none must. */
function unequal(filter: Filter | null | undefined): string[] {
  if (filter?.compositeFilter?.op === 'AND') return filter.compositeFilter.filters.flatMap(unequal);
  if (filter?.fieldFilter?.op === 'NOT_EQUAL') return [filter.fieldFilter.field.fieldPath];
  return [];
}
