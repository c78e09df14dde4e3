/** Conversion to and from Firestore's JSON. */
import fc from 'fast-check';
import { commit, getDocument } from '../../functions/src/firestore/documents.ts';
import {
  fromValue,
  isEqual,
  millisOf,
  toValue,
  type Value,
} from '../../functions/src/firestore/values.ts';
import { RequestContext } from '../../functions/src/platform/requestContext.ts';
import { startEmbeddedFirestore, type EmbeddedFirestore } from '../emulator/firestore/server.ts';
import { Store } from '../emulator/firestore/store.ts';
import { anyCharacter } from '../support/anyCharacter.ts';

const PROJECT = 'demo-values';
const RUNS = 50;

let embedded: EmbeddedFirestore;
let store: Store;

beforeAll(async () => {
  embedded = await startEmbeddedFirestore();
  store = new Store(embedded.address, PROJECT);
  Object.assign(process.env, {
    FIRESTORE_EMULATOR_HOST: embedded.address,
    GCLOUD_PROJECT: PROJECT,
  });
});

afterAll(() => embedded.stop());

async function asRequest<Result>(work: () => Promise<Result>): Promise<Result> {
  return new RequestContext().run(60_000, work);
}

let made = 0;

/** A document that no other run uses, with this value in Firestore's form. */
async function storedPath(value: Value = { nullValue: null }): Promise<string> {
  const path = `things/thing-${(made += 1)}`;
  await store.set(path, { value });
  return path;
}

async function read(path: string): Promise<Value> {
  const document = await asRequest(() => getDocument(path, ['value']));
  return document?.fields.value ?? {};
}

async function write(path: string, value: Value): Promise<unknown> {
  return asRequest(async () => {
    const update = await getDocument(path, []);
    return update && commit([{ update, changes: { value } }]);
  });
}

const name = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
  .filter((text) => !/^__.*__$/s.test(text) && text.isWellFormed());
const text = fc
  .string({ unit: anyCharacter, maxLength: 12 })
  .filter((value) => value.isWellFormed());
const micros = fc.record({
  seconds: fc.integer({ min: -62_135_596_800, max: 253_402_300_799 }),
  nanos: fc.integer({ min: 0, max: 999_999 }).map((value) => value * 1000),
});

function rfc3339({ seconds, nanos }: { seconds: number; nanos: number }): string {
  const whole = new Date(seconds * 1000).toISOString().slice(0, -5);
  return `${whole}.${String(nanos).padStart(9, '0')}Z`;
}

/** A value of any kind in Firestore's JSON. */
const { any } = fc.letrec<{ any: Value }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(fc.constant(null), fc.boolean(), text, fc.double(), fc.maxSafeInteger()).map(toValue),
    fc
      .bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
      .map((value) => ({ integerValue: String(value) })),
    micros.map((time) => ({ timestampValue: rfc3339(time) })),
    fc
      .uint8Array({ maxLength: 9 })
      .map((bytes) => ({ bytesValue: Buffer.from(bytes).toString('base64') })),
    fc.constant({ referenceValue: `projects/${PROJECT}/databases/(default)/documents/a/b` }),
    // Firestore's JSON leaves out coordinates that are 0.
    fc
      .record({
        latitude: fc.double({ min: 1, max: 90, noNaN: true }),
        longitude: fc.double({ min: -180, max: -1, noNaN: true }),
      })
      .map((place) => ({ geoPointValue: place })),
    // Firestore does not store a list directly in a list.
    fc
      .array(
        tie('any').filter(({ arrayValue }) => arrayValue === undefined),
        { maxLength: 4 },
      )
      .map((values) => ({ arrayValue: { values } })),
    fc.dictionary(name, tie('any'), { maxKeys: 4 }).map((fields) => ({ mapValue: { fields } })),
  ),
}));

test.each<[unknown, Value]>([
  [null, { nullValue: null }],
  [true, { booleanValue: true }],
  ['ü', { stringValue: 'ü' }],
  [-5, { integerValue: '-5' }],
  [2 ** 53 - 1, { integerValue: '9007199254740991' }],
  [2 ** 53, { doubleValue: 2 ** 53 }],
  [0.5, { doubleValue: 0.5 }],
  [-0, { doubleValue: -0 }],
  [NaN, { doubleValue: 'NaN' }],
  [-Infinity, { doubleValue: '-Infinity' }],
  [['a', []], { arrayValue: { values: [{ stringValue: 'a' }, { arrayValue: { values: [] } }] } }],
  [{ 'a.b': {} }, { mapValue: { fields: { 'a.b': { mapValue: { fields: {} } } } } }],
])('%j has one form in Firestore’s JSON, from which simple values are read', (value, json) => {
  expect(toValue(value)).toEqual(json);
  expect(fromValue(json)).toEqual(typeof value === 'object' ? undefined : value);
});

test('Firestore returns every value as it was written, to the last digit', async () => {
  await fc.assert(
    fc.asyncProperty(any, async (value) => {
      const path = await storedPath();

      expect(await write(path, value)).toBe('done');
      const stored = await read(path);
      const again = await storedPath();
      await write(again, stored);

      expect(isEqual(spelled(stored), spelled(value))).toBe(true);
      expect(isEqual(await read(again), stored)).toBe(true);
      expect(await store.get(again)).toEqual(await store.get(path));
    }),
    { numRuns: RUNS },
  );
});

test('a time has whole milliseconds, rounded down', () => {
  fc.assert(
    fc.property(micros, (time) => {
      const expected = time.seconds * 1000 + Math.floor(time.nanos / 1e6);

      expect(millisOf({ timestampValue: rfc3339(time) })).toBe(expected);
    }),
  );
});

test.each([undefined, () => 0, Symbol('x')])('%p cannot be stored', (unstorable) => {
  expect(() => toValue(unstorable)).toThrow(TypeError);
});

/** JSON with times in one spelling: the digits after the seconds may be 0, 3, 6 or 9. */
function spelled<Json>(json: Json): Json {
  const texts = (part: unknown): unknown => {
    if (typeof part === 'string') return part.replace(/\.?0*Z$/, 'Z');
    if (Array.isArray(part)) return part.map(texts);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, member]) => [key, texts(member)]));
  };
  return texts(json) as Json;
}
