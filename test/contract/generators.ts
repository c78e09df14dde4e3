/** Generators (fast-check arbitraries) of documents and requests: most are valid, some have a wrong value. */
import fc, { Arbitrary } from 'fast-check';
import * as z from 'zod';
import { unwrapSchema } from '@tattoo-marketplace/endpoints';
import { getEndpoint } from '../../functions/service.ts';
import type { Documents, Generators, ModelEntry, FunctionRequest } from './endpointModel.ts';
import { findCollection, isTimeSchema, listObjectFields } from './values.ts';
import type { DocumentData, Schema } from './values.ts';

export const NOW = Date.UTC(2026, 5, 1);
export const TIMESTAMP = { timestampValue: '2026-06-01T00:00:00.123956Z' };
const NEXT_TIMESTAMP = { timestampValue: '2026-06-01T00:00:00.123957Z' };
/** Times in both formats. */
export const TIMES = [NOW, NOW + 1, TIMESTAMP, NEXT_TIMESTAMP];
const BEFORE_1970 = { timestampValue: '1969-12-31T23:59:59.999999Z' };
const UNSAFE_INTEGER = { integerValue: '9007199254740993' };

/** Stored values of all types, each of which is wrong in most fields, and has its own position in lists; undefined is none. */
// prettier-ignore
const UNUSUAL_VALUES = [
  undefined, null, true, 'x', '\uFFFD', '🖋', 7, 1.5, -3, 1e300, 2 ** 53, UNSAFE_INTEGER,
  { doubleValue: 3 }, { doubleValue: 'NaN' }, { doubleValue: '-Infinity' },
  TIMESTAMP, NEXT_TIMESTAMP, { bytesValue: 'AA==' },
  { geoPointValue: { latitude: 48.5, longitude: -16 } }, [], {}, ['x', 7, null], [{ url: 7 }],
];

/** Stored values that are wrong in most lists. */
const WRONG_ITEMS = UNUSUAL_VALUES.filter((value) => value !== undefined && !Array.isArray(value));

/** Values of any schema that accepts them. */
const SAMPLES = [0, 1, 7, 1.5, true, false, 'x', '', '1', 'true', '~alice'];

/** Values that are wrong in most fields of a body. Of a string that starts with `#`, the rest is sent as JSON. */
// prettier-ignore
const WRONG_VALUES = [
  undefined, null, true, 0, -1, 0.5, 2 ** 53, '#1e999', '#{', '30', '', 'x', 'a/b', '..', '__x__',
  '~bob', '\ud800', 'x'.repeat(1501), '🖋'.repeat(201), [], {}, [[1]],
];

/** Values that are wrong in most parameters. */
const WRONG_PARAMS = ['a/b', '__x__', '..'];
const WRONG_QUERY = [...WRONG_PARAMS, undefined, '', 'x', '1.5', '-1', '0', ['1', '2']];

/** Creates a generator of a usual value, and one time in twenty of an unusual value. */
export function vary(
  usual: readonly unknown[] | Arbitrary<unknown>,
  unusual: readonly unknown[] = UNUSUAL_VALUES,
  weight = 19,
): Arbitrary<unknown> {
  const arbitrary = usual instanceof Arbitrary ? usual : fc.constantFrom(...usual);
  return fc.oneof({ weight, arbitrary }, fc.constantFrom(...unusual));
}

/** Creates paths that end with numbers: `flash/~f0`, `flash/~f1`, … */
export function createPaths(start: string, count: number): string[] {
  return Array.from({ length: count }, (_, number) => `${start}${number}`);
}

interface ObjectOptions {
  readonly times: Arbitrary<unknown>;
  readonly wrong: readonly unknown[];
  /** True for documents, which may lack any field; false for requests. */
  readonly isStored: boolean;
}

/**
 * Creates a function that generates objects of a schema. Fields without a generator get values by the schema. Optional fields are often
 * missing. One object in seven has a wrong value.
 */
function createObjectGenerator({ times, wrong, isStored }: ObjectOptions) {
  return generateObject;

  function generateObject(type: z.ZodObject, generators: Generators = {}): Arbitrary<DocumentData> {
    const fields = listObjectFields(type);
    const undeclared = Object.keys(generators).find((name) => !(name in type.shape));
    if (undeclared !== undefined) throw new Error(`The field ${undeclared} is not declared.`);
    const values = fields.map(([name, schema]) => {
      const value = generateValue(schema, generators[name]);
      if (isStored && name in generators) return [name, value] as const;
      const orWrong = vary(value, wrong, 6 * fields.length);
      const isRequired = !isStored && !z.safeParse(schema, undefined).success;
      return [name, isRequired ? orWrong : fc.oneof(orWrong, fc.constantFrom(undefined))] as const;
    });
    return fc.record(Object.fromEntries(values));
  }

  function generateValue(schema: Schema, generator?: Generators[string]): Arbitrary<unknown> {
    if (generator instanceof Arbitrary) return generator;
    const type = unwrapSchema(schema);
    if (type instanceof z.ZodObject) return generateObject(type, generator);
    if (type instanceof z.ZodArray) {
      const wrongItems = isStored ? WRONG_ITEMS : wrong;
      return fc.array(vary(generateValue(type.element), wrongItems, 9), { maxLength: 2 });
    }
    if (type instanceof z.ZodEnum) return fc.constantFrom(...type.options);
    if (isTimeSchema(type)) return times;
    const bounds = type instanceof z.ZodNumber ? [type.minValue, type.maxValue] : [];
    return fc.constantFrom(
      ...[...SAMPLES, ...bounds].filter((value) => z.safeParse(type, value).success),
    );
  }
}

// The times of a document are numbers, mostly; `Timestamp`s; or both.
const UNUSUAL_TIMES = [TIMESTAMP, BEFORE_1970, NOW / 1000, NOW + 0.5, 1e16, undefined, 'x'];
const numbers = vary([NOW, NOW + 1, NOW + 2], UNUSUAL_TIMES, 4);
const FORMATS = [
  numbers,
  numbers,
  fc.constantFrom(TIMESTAMP, BEFORE_1970),
  fc.constantFrom(...TIMES),
];

/** Creates generators of documents of a collection. `secret` must never be in a response. */
export function generateDocuments(paths: readonly string[], fields: Generators): Documents {
  const { schema } = findCollection(paths[0] ?? '');
  const withSecret = z.object({ ...schema.shape, secret: z.string() });
  const options = { wrong: UNUSUAL_VALUES, isStored: true };
  const generators = FORMATS.map((times) => createObjectGenerator({ ...options, times }));
  const document = fc.oneof(...generators.map((generate) => generate(withSecret, fields)));
  return Object.fromEntries(paths.map((path) => [path, document]));
}

// Alice owns most documents, and sends most requests. Dave has no profile.
export const owner = vary([...Array<string>(7).fill('~alice'), '~bob']);
const callerId = vary(['~alice', '~alice', '~alice', '~bob'], ['~carol', '~dave', undefined]);
/** The user whose list is requested. */
export const listOwner = vary(['~alice', '~alice', '~bob'], ['~nobody', ...WRONG_PARAMS]);
/** Fields of items that an artist owns and orders. */
export const ITEM_FIELDS = {
  artistId: owner,
  isVisible: vary([true, true, true, false]),
  order: vary([0, 0, 1, 1, 2, 3, undefined], [0.5, 1.5, -1, ...UNUSUAL_VALUES], 4),
};

/** Creates a generator of the id of one of these documents: often of the first, so that operations contend for it. */
export function pickId(documents: Documents): Arbitrary<unknown> {
  const ids = Object.keys(documents).map((path) => path.slice(path.lastIndexOf('/') + 1));
  return fc.oneof(fc.constantFrom(ids[0]), fc.constantFrom(...ids.slice(0, 5)));
}

/** Creates a generator of lists of one to three items, and now and then of the maximum of 500 or one more. */
export function pickList(item: Arbitrary<unknown>): Arbitrary<unknown> {
  const many = item.chain((value) =>
    fc.constantFrom(Array(500).fill(value), Array(501).fill(value)),
  );
  const few = fc.array(vary(item, WRONG_VALUES, 60), { minLength: 1, maxLength: 3 });
  return fc.oneof({ weight: 19, arbitrary: few }, many);
}

/** Creates generators of the query of a page of these documents. */
export function generatePageQuery(documents: Documents, maxLimit: number): Generators {
  return {
    limit: vary(['1', '2', '3', `${maxLimit}`], [`${maxLimit + 1}`]),
    cursor: pickId(documents),
  };
}

// Most of these are beyond the years 1 to 9999 of a `Timestamp`.
const DISTANT_TIMES = [2.6e14, '#-0', -8.64e15, -62_135_596_800_001, 253_402_300_800_000];
const REQUEST_TIMES = vary([NOW, NOW + 1, NOW + 2], DISTANT_TIMES);

/** Creates a generator of requests to an endpoint, with all fields that it declares. */
export function generateRequests([
  functionId,
  { request },
]: ModelEntry): Arbitrary<FunctionRequest> {
  const { declaration } = getEndpoint(functionId).endpoint;
  // Some clients drop the body of a DELETE.
  const { params, body, allowBodyInQuery, query = allowBodyInQuery && body } = declaration;
  const generateFields = (schema = z.object({}), wrong: readonly unknown[], fields?: Generators) =>
    createObjectGenerator({ times: REQUEST_TIMES, wrong, isStored: false })(schema, fields);
  const weight = allowBodyInQuery ? 2 : 40;
  const parts = fc.record({
    callerId,
    params: generateFields(params, WRONG_PARAMS, request.params),
    query: generateFields(query, WRONG_QUERY, request.query),
    // Endpoints without a body ignore any body.
    body: body
      ? vary(generateFields(body, WRONG_VALUES, request.body), [undefined, null, []], weight)
      : fc.constantFrom(undefined, {}, '#{'),
  });
  return parts.map((values): FunctionRequest => {
    const json = JSON.stringify(values.body) as string | undefined;
    return { functionId, ...values, body: json?.replace(/"#(.*?)"/g, '$1') } as FunctionRequest;
  });
}
