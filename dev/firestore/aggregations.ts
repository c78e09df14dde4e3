/** Aggregations of queries (https://firebase.google.com/docs/firestore/reference/rest/v1/StructuredAggregationQuery). */
import type { StoredDocument } from './database.ts';
import { valueAt, pathOf } from './fields.ts';
import { fieldOf } from './filters.ts';
import { elements, invalid, members, unimplemented } from './refusal.ts';
import { asDouble, numberOf, sumOf } from './transforms.ts';
import { storedValue, type Fields, type Value } from './values.ts';

/** One aggregation of a query. */
export interface Aggregation {
  readonly alias: string;
  /** Undefined for a count. */
  readonly field: string | undefined;
  readonly result: (numbers: readonly Value[], documents: readonly StoredDocument[]) => Value;
}

const count: Aggregation['result'] = (_numbers, { length }) => ({ integerValue: String(length) });
const average: Aggregation['result'] = (numbers) => {
  if (numbers.length === 0) return { nullValue: null };
  const sum = numbers.reduce((total, each) => total + asDouble(each), 0);
  return storedValue({ doubleValue: String(sum / numbers.length) });
};

/** Checks aggregations; throws if the service refuses them, or if they are not supported here. */
export function parseAggregations(json: unknown): Aggregation[] {
  const all = elements(json).map((each): Aggregation => {
    const { alias, ...kinds } = members(each, 'alias', 'count', 'sum', 'avg');
    if (typeof alias !== 'string') throw unimplemented('aggregations without alias');
    if (Object.keys(kinds).length !== 1) {
      throw invalid('An aggregation is a count, a sum or an average.');
    }
    if (kinds.count !== undefined) {
      members(kinds.count);
      return { alias, field: undefined, result: count };
    }
    const field = fieldOf(members(kinds.sum ?? kinds.avg, 'field').field);
    return { alias, field, result: kinds.sum === undefined ? average : sumOf };
  });
  if (all.length === 0) throw invalid('There is no aggregation.');
  return all;
}

/** The results for documents. Those that lack an aggregated field do not even count. */
export function aggregate(
  documents: readonly StoredDocument[],
  aggregations: readonly Aggregation[],
): Fields {
  const paths = aggregations.flatMap(({ field }) => (field === undefined ? [] : [pathOf(field)]));
  const whole = documents.filter(({ fields = {} }) => paths.every((path) => valueAt(fields, path)));
  const results = aggregations.map(({ alias, field, result }) => {
    const path = field === undefined ? ['__name__'] : pathOf(field);
    const numbers = whole
      .map(({ fields = {} }) => numberOf(valueAt(fields, path)))
      .filter((number) => number !== undefined);
    return [alias, result(numbers, whole)] as const;
  });
  return Object.fromEntries(results);
}
