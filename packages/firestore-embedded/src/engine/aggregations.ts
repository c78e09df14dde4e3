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

/** Parses aggregations. Throws if Firestore rejects them, or if they are not supported here. */
export function parseAggregations(json: unknown): Aggregation[] {
  return parseArray(json).map((aggregation) => {
    const { alias, ...operations } = parseObject(aggregation, 'alias', ...Object.keys(RESULTS));
    const [[operation, parameters] = ['', undefined], ...otherOperations] =
      Object.entries(operations);
    const result = RESULTS[operation];
    if (result === undefined || otherOperations.length > 0) {
      throw invalidArgumentError('An aggregation has exactly one operation.');
    }
    if (operation === 'count') {
      parseObject(parameters);
      return { alias: String(alias), field: NAME, result };
    }
    const { field } = parseObject(parameters, 'field');
    return { alias: String(alias), field: parseFieldReference(field), result };
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
  const getField = ({ fields = {} }: DocumentResource, field: string) =>
    getValue(fields, parseFieldPath(field));
  const included = documents.filter((document) =>
    aggregations.every(({ field }) => getField(document, field)),
  );
  const results = aggregations.map(({ alias, field, result }) => {
    const numbers = included.flatMap((document) => onlyNumbers(getField(document, field)));
    return [alias, result(numbers, included)] as const;
  });
  return Object.fromEntries(results);
}
