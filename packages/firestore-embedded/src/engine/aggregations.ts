/** Aggregations of queries (https://firebase.google.com/docs/firestore/reference/rest/v1/StructuredAggregationQuery). */
import { decodePrimitive, type Fields, type Value } from '@tattoo-marketplace/firestore-rest';
import type { DocumentResource } from './database.ts';
import { parseFieldPath, getValue } from './fieldPaths.ts';
import { parseFieldReference, NAME } from './filters.ts';
import { invalidArgumentError } from './apiError.ts';
import { parseArray, parseObject } from './parseJson.ts';
import { onlyNumbers, sumNumbers } from './transforms.ts';
import { normalizeValue } from './normalize.ts';

/** One aggregation of a query. */
export interface Aggregation {
  readonly alias: string;
  /** `__name__` for a count: every document has it. */
  readonly field: string;
  readonly result: (numbers: readonly Value[], documents: readonly DocumentResource[]) => Value;
}

const RESULTS: Readonly<Record<string, Aggregation['result']>> = {
  count: (_numbers, { length }) => ({ integerValue: String(length) }),
  sum: sumNumbers,
  avg: (numbers) => {
    if (numbers.length === 0) return { nullValue: null };
    return normalizeValue({
      doubleValue: String(Number(decodePrimitive(sumNumbers(numbers))) / numbers.length),
    });
  },
};

/** Checks aggregations; throws if the service refuses them, or if they are not supported here. */
export function parseAggregations(json: unknown): Aggregation[] {
  return parseArray(json).map((each) => {
    const { alias, ...sent } = parseObject(each, 'alias', ...Object.keys(RESULTS));
    const [[kind, parameters] = ['', undefined], ...others] = Object.entries(sent);
    const result = RESULTS[kind];
    if (result === undefined || others.length > 0)
      throw invalidArgumentError('An aggregation has one result.');
    const { field } = parseObject(parameters, ...(kind === 'count' ? [] : (['field'] as const)));
    return {
      alias: String(alias),
      field: kind === 'count' ? NAME : parseFieldReference(field),
      result,
    };
  });
}

/**
 * Computes the aggregations. Documents that lack an aggregated field are excluded, even from the
 * count.
 */
export function aggregate(
  documents: readonly DocumentResource[],
  aggregations: readonly Aggregation[],
): Fields {
  const at = ({ fields = {} }: DocumentResource, field: string) =>
    getValue(fields, parseFieldPath(field));
  const whole = documents.filter((each) => aggregations.every(({ field }) => at(each, field)));
  const results = aggregations.map(({ alias, field, result }) => {
    const numbers = whole.flatMap((each) => onlyNumbers(at(each, field)));
    return [alias, result(numbers, whole)] as const;
  });
  return Object.fromEntries(results);
}
