/** Generators (fast-check arbitraries) of documents and requests: mostly right, sometimes wrong somewhere. */
import fc, { Arbitrary } from 'fast-check';
import * as z from 'zod';
import { unwrapSchema } from '@tattoo-marketplace/endpoints';
import { getEndpoint } from '../../functions/service.ts';
import type { Documents, EndpointModel, Generators, Request } from './model.ts';
import { findCollection, isTimeSchema, listFields, type DocumentData } from './values.ts';

export const NOW = Date.UTC(2026, 5, 1);

export const TIMESTAMP = { timestampValue: '2026-06-01T00:00:00.123956Z' };
const BEFORE_1970 = { timestampValue: '1969-12-31T23:59:59.999999Z' };
export const UNSAFE_INTEGER = { integerValue: '9007199254740993' };

/** Stored values of all types, each of which is wrong in most fields, and orders lists in its own way; undefined is none. */
// prettier-ignore
const UNUSUAL_VALUES = [
  undefined, null, true, 'x', '\uFFFD', '🖋', 7, 1.5, -3, 1e300, 2 ** 53, UNSAFE_INTEGER,
  { doubleValue: 3 }, { doubleValue: 'NaN' }, { doubleValue: '-Infinity' },
  TIMESTAMP, { timestampValue: '2026-06-01T00:00:00.123957Z' }, { bytesValue: 'AA==' },
  { geoPointValue: { latitude: 48.5, longitude: -16 } }, [], {}, ['x', 7, null], [{ url: 7 }],
];

/** Stored values that are wrong in most lists. */
const WRONG_ITEMS = UNUSUAL_VALUES.filter((value) => value !== undefined && !Array.isArray(value));

/** Values of any schema that accepts them. */
const SAMPLES = [0, 1, 7, 1.5, true, false, 'x', '', '1', 'true', '~alice'];

/** Values that are wrong in most fields of a body. A text after `#` is sent as it is. */
// prettier-ignore
const WRONG_VALUES = [
  undefined, null, true, 0, -1, 0.5, 2 ** 53, '#1e999', '#{', '30', '', 'x', 'a/b', '..', '__x__',
  '~bob', '\ud800', 'x'.repeat(1501), '🖋'.repeat(201), [], {}, [[1]],
];

/** Values that are wrong in most parameters. */
const WRONG_PARAMS = ['a/b', '__x__', '..'];
const WRONG_QUERY = [...WRONG_PARAMS, undefined, '', 'x', '1.5', '-1', '0', ['1', '2']];

export function pick(...values: readonly unknown[]): Arbitrary<unknown> {
  return fc.constantFrom(...values);
}

/** A usual value, and one time in twenty another. */
export function vary(
  usual: readonly unknown[] | Arbitrary<unknown>,
  unusual: readonly unknown[] = UNUSUAL_VALUES,
  weight = 19,
): Arbitrary<unknown> {
  const arbitrary = usual instanceof Arbitrary ? usual : pick(...usual);
  return fc.oneof({ weight, arbitrary }, pick(...unusual));
}

/** So many paths or ids: `~f0`, `~f1`, … */
export function createPaths(start: string, size: number): string[] {
  return Array.from({ length: size }, (_, number) => `${start}${number}`);
}

/**
 * Creates a generator of objects of a schema: with given values for some fields, and values by the schema for others. Optional fields
 * are often missing. One object in seven has a wrong value.
 */
function objectsWith(times: Arbitrary<unknown>, wrong: readonly unknown[], isStored: boolean) {
  return generateObject;

  function generateObject(type: z.ZodObject, given: Generators = {}): Arbitrary<DocumentData> {
    const members = listFields(type);
    const undeclared = Object.keys(given).find((name) => !(name in type.shape));
    if (undeclared !== undefined) throw new Error(`The field ${undeclared} is not declared.`);
    const fields = members.map(([name, schema]) => {
      const value = generateValue(schema, given[name]);
      if (isStored && name in given) return [name, value] as const;
      const orWrong = vary(value, wrong, 6 * members.length);
      const isRequired = !isStored && !z.safeParse(schema, undefined).success;
      return [name, isRequired ? orWrong : fc.oneof(orWrong, pick(undefined))] as const;
    });
    return fc.record(Object.fromEntries(fields));
  }

  function generateValue(schema: z.core.$ZodType, given?: Generators[string]): Arbitrary<unknown> {
    if (given instanceof Arbitrary) return given;
    const type = unwrapSchema(schema);
    if (type instanceof z.ZodObject) return generateObject(type, given);
    if (type instanceof z.ZodArray) {
      const wrongItems = isStored ? WRONG_ITEMS : wrong;
      return fc.array(vary(generateValue(type.element), wrongItems, 9), { maxLength: 2 });
    }
    if (type instanceof z.ZodEnum) return pick(...type.options);
    if (isTimeSchema(type)) return times;
    const bounds = type instanceof z.ZodNumber ? [type.minValue, type.maxValue] : [];
    return pick(...[...SAMPLES, ...bounds].filter((value) => z.safeParse(type, value).success));
  }
}

/** The times of a document: numbers, mostly; `Timestamp`s; or both. */
const UNUSUAL_TIMES = [TIMESTAMP, BEFORE_1970, NOW / 1000, NOW + 0.5, 1e16, undefined, 'x'];
const numbers = vary([NOW, NOW + 1, NOW + 2], UNUSUAL_TIMES, 4);
const FORMATS = [numbers, numbers, pick(TIMESTAMP, BEFORE_1970), pick(NOW, NOW + 1, TIMESTAMP)];

/** Documents with these paths: given values for some fields, and some others. `secret` must never be in a response. */
export function generateDocuments(paths: readonly string[], given: Generators): Documents {
  const { schema } = findCollection(paths[0] ?? '');
  const withSecret = z.object({ ...schema.shape, secret: z.string() });
  const all = FORMATS.map((times) => objectsWith(times, UNUSUAL_VALUES, true)(withSecret, given));
  return Object.fromEntries(paths.map((path) => [path, fc.oneof(...all)]));
}

/** Mostly Alice owns a document, and calls. Dave has no profile. */
export const owner = vary([...Array<string>(7).fill('~alice'), '~bob']);
const caller = vary(['~alice', '~alice', '~alice', '~bob'], ['~carol', '~dave', undefined]);
/** Whose list is requested. */
export const listOwner = vary(['~alice', '~alice', '~bob'], ['~nobody', ...WRONG_PARAMS]);
/** Fields of items of an artist's list. */
export const ITEM_FIELDS = {
  artistId: owner,
  isVisible: vary([true, true, true, false]),
  order: vary([0, 0, 1, 1, 2, 3, undefined], [0.5, 1.5, -1, ...UNUSUAL_VALUES], 4),
};

/** The id of one of these documents: often the first, so that operations contend for it. */
export function pickId(documents: Documents): Arbitrary<unknown> {
  const ids = Object.keys(documents).map((path) => path.slice(path.lastIndexOf('/') + 1));
  return fc.oneof(pick(ids[0]), pick(...ids.slice(0, 5)));
}

/** One to three items; or as many as a list may have, or one more. */
export function pickList(item: Arbitrary<unknown>): Arbitrary<unknown> {
  const many = item.chain((value) => pick(Array(500).fill(value), Array(501).fill(value)));
  const few = fc.array(vary(item, WRONG_VALUES, 60), { minLength: 1, maxLength: 3 });
  return fc.oneof({ weight: 19, arbitrary: few }, many);
}

/** The query of a page of these documents. */
export function generatePageQuery(documents: Documents, maxLimit: number): Generators {
  return {
    limit: vary(['1', '2', '3', `${maxLimit}`], [`${maxLimit + 1}`]),
    cursor: pickId(documents),
  };
}

/** Times in requests; some are beyond the years of a `Timestamp`. */
const YEARS = [2.6e14, '#-0', -8.64e15, -62_135_596_800_001, 253_402_300_800_000];
const REQUEST_TIMES = vary([NOW, NOW + 1, NOW + 2], YEARS);

/** Requests to an endpoint, with the fields that it declares: values of its model's `request`, and others by their schemas. */
export function generateRequests(
  functionId: string,
  { request }: EndpointModel,
): Arbitrary<Request> {
  const { declaration } = getEndpoint(functionId).endpoint;
  // Some clients drop the body of a DELETE.
  const { params, body, allowBodyInQuery, query = allowBodyInQuery && body } = declaration;
  const generateFields = (schema = z.object({}), wrong: readonly unknown[], given?: Generators) =>
    objectsWith(REQUEST_TIMES, wrong, false)(schema, given);
  const weight = allowBodyInQuery ? 2 : 40;
  const parts = fc.record({
    caller,
    params: generateFields(params, WRONG_PARAMS, request.params),
    query: generateFields(query, WRONG_QUERY, request.query),
    // An endpoint without a body ignores any.
    body: body
      ? vary(generateFields(body, WRONG_VALUES, request.body), [undefined, null, []], weight)
      : pick(undefined, {}, '#{'),
  });
  return parts.map(({ body, ...others }): Request => {
    // The rest of a text after `#` is sent unchanged.
    const json = (JSON.stringify(body) as string | undefined)?.replace(/"#(.*?)"/g, '$1');
    return { functionId, ...others, body: json } as Request;
  });
}
