/** What random histories store and send, at random: mostly what is usual, and what is wrong somewhere. */
import fc, { type Arbitrary } from 'fast-check';
import * as z from 'zod';
import { timeSchemas } from '@tattoo-marketplace/collections';
import { unwrapSchema } from '@tattoo-marketplace/endpoints';
import type { Sent, Stored } from './rules.ts';
import { isMap, isTimeField, schemaOf, type DocumentData } from './values.ts';

export const NOW = Date.UTC(2026, 5, 1);

// As Firestore's REST API has them.
export const TIMESTAMP = { timestampValue: '2026-06-01T00:00:00.123456Z' };
const NOT_A_NUMBER = { doubleValue: 'NaN' };
export const LARGE = { integerValue: '9007199254740993' };

/** Stored values by which Firestore sorts, of several kinds; undefined is none. */
export const SORTED = [
  ...[undefined, null, true, 'x', 7, 1.5, -3, 1e300, TIMESTAMP, { doubleValue: 3 }, NOT_A_NUMBER],
];

/** A few of them make a page that is too large to be read at once. */
export const LONG = 'x'.repeat(900_000);

/** Stored values that are of the wrong kind somewhere. */
const ODD = [...SORTED, LARGE, [], {}, ['x', 7, null], [{ url: 7 }]];

/** Times as other programs store them: of another kind, in seconds, far ahead, beyond what is a time, or none. */
const OTHER_TIMES = [
  ...[
    TIMESTAMP,
    { timestampValue: '1969-12-31T23:59:59.999999Z' },
    { timestampValue: '2099-01-01T00:00:00Z' },
  ],
  ...[NOW / 1000, NOW + 0.5, 4e12, 2.6e14, 9e15, undefined, null, '2026-06-01'],
];
export const time = fc.oneof(of(NOW, NOW + 1, NOW + 2), of(...OTHER_TIMES));

/** Values that are invalid somewhere in a body. A text after `#` is sent as it is. */
const BAD = [
  ...[undefined, null, true, 0, -1, 0.5, 367, 2 ** 53, '#1e999', '#{', '30', '', 'x', 'a/b'],
  ...['..', '__x__', '~bob', '\ud800', 'x'.repeat(1501), '🖋'.repeat(201), [], {}, [[1]]],
  ...[{ Monday: [[1]] }, { Monday: { __a__: 1 } }, { monday: 1 }],
  [0, 1].map((order) => ({ id: '~f0', order })),
  ...[500, 501].map((size) => Array<string>(size).fill('~f0')),
];

/** Values that are invalid somewhere in a query. */
const BAD_TEXTS = [undefined, '0', '51', '101', '', 'x', '1.5', '-1', 'a/b', '__x__', ['1', '2']];

export function of(...values: readonly unknown[]): Arbitrary<unknown> {
  return fc.constantFrom(...values);
}

/** A usual value, and one time in twenty another: of the wrong kind somewhere, if none is given. */
export function mostly(
  usual: readonly unknown[],
  others: readonly unknown[] = ODD,
): Arbitrary<unknown> {
  return fc.oneof({ weight: 19, arbitrary: of(...usual) }, of(...others));
}

export const bad = fc.oneof(
  { weight: 9, arbitrary: of(...BAD) },
  { weight: 1, arbitrary: fc.jsonValue() },
);
const badText = fc.oneof(of(...BAD_TEXTS), fc.string());

type Fields = Readonly<Record<string, Arbitrary<unknown>>>;

/** Some of these maps, with other values in up to three places, at any level. */
export function spoilt(
  maps: Arbitrary<DocumentData>,
  value: Arbitrary<unknown>,
): Arbitrary<DocumentData> {
  const change = fc.record({ at: fc.nat(), value });
  const changes = fc.oneof(
    { weight: 4, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(change, { minLength: 1, maxLength: 3 }) },
  );
  return fc
    .tuple(maps, changes)
    .map(([map, all]) => all.reduce((now, { at, value }) => replaced(now, at, value), map));
}

function replaced(map: DocumentData, at: number, value: unknown): DocumentData {
  const names = Object.keys(map);
  const name = names[at % names.length];
  if (name === undefined) return map;
  const [member, inside] = [map[name], Math.floor(at / names.length)];
  return { ...map, [name]: isMap(member) ? replaced(member, inside, value) : value };
}

/** So many paths or ids: `~f0`, `~f1`, … */
export function numbered(start: string, size: number): string[] {
  return Array.from({ length: size }, (_, number) => `${start}${number}`);
}

// Stored documents.

/** An owner: mostly Alice, as callers are. */
export const owner = mostly(['~alice', '~alice', '~alice', '~bob']);
export const isShown = mostly([true, true, true, false]);
export const position = fc.oneof(
  { weight: 4, arbitrary: of(0, 1, 2, 3) },
  of(0.5, 1.5, -1, undefined, ...SORTED),
);

/**
 * Documents of a collection, by their paths, with these fields (`order`, `artistInfo.isVerified`) and some others that it
 * declares. One in four has no numbers for times.
 */
export function storing(paths: readonly string[], fields: Fields): Stored {
  return Object.fromEntries(paths.map((path) => [path, documentOf(schemaOf(path), fields)]));
}

function documentOf(schema: z.ZodObject, fields: Fields): Arbitrary<DocumentData> {
  return fc
    .tuple(spoilt(someOf(schema), of(...ODD)), fc.record(fields), of(true, false, false, false))
    .map(([some, given, inTimestamps]) => {
      const data = Object.entries(given).reduce(withField, some);
      return inTimestamps ? withTimestamps(data, schema) : data;
    });
}

function withTimestamps(data: DocumentData, schema: z.ZodObject): DocumentData {
  const fields = Object.entries(data).map(([name, value]) => {
    const isNumberOfTime = typeof value === 'number' && isTimeField(schema, name);
    return [name, isNumberOfTime ? TIMESTAMP : value] as const;
  });
  return Object.fromEntries(fields);
}

function withField(map: DocumentData, [path, value]: readonly [string, unknown]): DocumentData {
  const [name = '', ...inner] = path.split('.');
  if (inner.length === 0) return { ...map, [name]: value };
  const member = map[name];
  return { ...map, [name]: withField(isMap(member) ? member : {}, [inner.join('.'), value]) };
}

/** Some fields of a map, and one that must never leave. */
function someOf(schema: z.ZodObject): Arbitrary<DocumentData> {
  const fields = Object.entries<z.core.$ZodType>(schema.shape).map(([name, member]) =>
    fc.tuple(fc.constant(name), valueOf(member)),
  );
  const field = fc.oneof(...fields, fc.constant(['secret', 'x'] as const));
  return fc.array(field, { maxLength: 4 }).map((all) => Object.fromEntries(all));
}

/** Stored values of the declared kind. */
function valueOf(schema: z.core.$ZodType): Arbitrary<unknown> {
  const type = unwrapSchema(schema);
  if (type instanceof z.ZodObject) return someOf(type);
  if (type instanceof z.ZodArray) return fc.array(valueOf(type.element), { maxLength: 2 });
  if (type instanceof z.ZodEnum) return of(...type.options);
  if (type instanceof z.ZodBoolean) return fc.boolean();
  if (timeSchemas.has(type)) return time;
  return type instanceof z.ZodNumber ? of(0, 1, 7, 1.5) : of('x', '');
}

// Requests.

/** Requests with these fields in the body. */
export function body(fields: Fields): Arbitrary<Sent> {
  return spoilt(fc.record(fields), bad).map((sent) => ({
    body: JSON.stringify(sent).replace(/"#(.*?)"/g, '$1'),
  }));
}

/** Requests of pages of these documents, with these parameters too. */
export function paging(
  documents: Stored,
  fields: Fields = {},
): Arbitrary<NonNullable<Sent['query']>> {
  const limit = of(undefined, '1', '1', '2', '3', '50');
  const cursor = fc.option(idOf(documents), { freq: 3, nil: undefined });
  return spoilt(fc.record({ ...fields, limit, cursor }), badText) as Arbitrary<
    NonNullable<Sent['query']>
  >;
}

/** Whose list is asked for. */
export const listed = mostly(
  ['~alice', '~alice', '~bob'],
  ['~nobody', 'a/b', '__x__'],
) as Arbitrary<string>;

/** One to three of them. */
export function few<Value>(each: Arbitrary<Value>): Arbitrary<Value[]> {
  return fc.array(each, { minLength: 1, maxLength: 3 });
}

/** The id of one of these documents: often the first, so that calls at once meet at it. */
export function idOf(documents: Stored): Arbitrary<unknown> {
  const ids = Object.keys(documents).map((path) => path.slice(path.lastIndexOf('/') + 1));
  return fc.oneof(of(ids[0]), of(...ids));
}

/** Times in requests. */
export const sentTime = mostly(
  [NOW, NOW + 1, NOW + 2],
  [
    ...[NOW + 0.5, NOW + 0.001, -0.5, '#-0', '#-1e-20', 2.6e14],
    ...[-8.64e15, -62_135_596_800_000.5, 253_402_300_799_999.97],
  ],
);
