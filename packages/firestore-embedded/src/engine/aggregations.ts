/** Aggregations of queries (https://firebase.google.com/docs/firestore/reference/rest/v1/StructuredAggregationQuery). */
import { decodePrimitive, type Fields, type Value } from '@tattoo-marketplace/firestore-rest';
import type { DocumentResource } from './database.ts';
import { parseFieldPath, getValue } from './fieldPaths.ts';
import { parseFieldReference, NAME } from './filters.ts';
import { invalidArgumentError } from './apiError.ts';
import { parseArray, parseObject } from './parseJson.ts';
import { toNumbers, sumNumbers } from './transforms.ts';
import { normalizeValue } from './normalize.ts';

/** One aggregation of a query. */
interface Aggregation {
  readonly alias: string;
  /** `__name__` for a count: every document has it. */
  readonly field: string;
  readonly compute: (numbers: readonly Value[], documents: readonly DocumentResource[]) => Value;
}

const COMPUTATIONS: Readonly<Record<string, Aggregation['compute']>> = {
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
    const { alias, ...operations } = parseObject(
      aggregation,
      'alias',
      ...Object.keys(COMPUTATIONS),
    );
    const [[operation, parameters] = ['', undefined], ...otherOperations] =
      Object.entries(operations);
    const compute = COMPUTATIONS[operation];
    if (compute === undefined || otherOperations.length > 0) {
      throw invalidArgumentError('An aggregation has exactly one operation.');
    }
    if (operation === 'count') {
      parseObject(parameters);
      return { alias: String(alias), field: NAME, compute };
    }
    const { field } = parseObject(parameters, 'field');
    return { alias: String(alias), field: parseFieldReference(field), compute };
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
  const results = aggregations.map(({ alias, field, compute }) => {
    const numbers = included.flatMap((document) => toNumbers(getField(document, field)));
    return [alias, compute(numbers, included)] as const;
  });
  return Object.fromEntries(results);
}
