/** Conversion to and from Firestore's JSON, compared with the Admin SDK. */
import fc from 'fast-check';
import { FieldPath, Firestore, GeoPoint, Timestamp } from 'firebase-admin/firestore';
import { commit, getDocument } from '../../functions/src/firestore/documents.ts';
import * as own from '../../functions/src/firestore/values.ts';
import { RequestContext } from '../../functions/src/platform/requestContext.ts';
import { startEmbeddedFirestore, type EmbeddedFirestore } from '../emulator/firestore/server.ts';
import { anyCharacter } from '../support/anyCharacter.ts';

const PROJECT = 'demo-values';
const RUNS = 50;

let embedded: EmbeddedFirestore;
let sdk: Firestore;

beforeAll(async () => {
  embedded = await startEmbeddedFirestore();
  Object.assign(process.env, {
    FIRESTORE_EMULATOR_HOST: embedded.address,
    GCLOUD_PROJECT: PROJECT,
  });
  sdk = new Firestore({ projectId: PROJECT, useBigInt: true });
});

afterAll(async () => {
  await sdk.terminate();
  await embedded.stop();
});

async function asRequest<Result>(work: () => Promise<Result>): Promise<Result> {
  return new RequestContext().run(60_000, work);
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

/** A value of any type in two forms: for the Admin SDK, and for this code. */
interface Pair {
  readonly sdk: unknown;
  readonly own: unknown;
}

const same = (value: unknown): Pair => ({ sdk: value, own: value });
const leaf: fc.Arbitrary<Pair> = fc.oneof(
  fc.constant(null).map(same),
  fc.boolean().map(same),
  text.map(same),
  fc.double().map(same),
  fc.maxSafeInteger().map((value) => ({ sdk: BigInt(value), own: BigInt(value) })),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(same),
  micros.map(({ seconds, nanos }) => {
    const stamp = new Timestamp(seconds, nanos);
    return { sdk: stamp, own: new own.Timestamp(rfc3339(stamp)) };
  }),
  fc.uint8Array({ maxLength: 9 }).map((bytes) => same(Buffer.from(bytes))),
  fc
    .record({
      latitude: fc.double({ min: -90, max: 90, noNaN: true }),
      longitude: fc.double({ min: -180, max: 180, noNaN: true }),
    })
    // The protocol sends no negative zero here: `+ 0` takes the sign off.
    .map(({ latitude, longitude }) => ({ latitude: latitude + 0, longitude: longitude + 0 }))
    .map(({ latitude, longitude }) => ({
      sdk: new GeoPoint(latitude, longitude),
      own: new own.GeoPoint(latitude, longitude),
    })),
);

const { value } = fc.letrec<{ value: Pair; list: Pair; map: Pair }>((tie) => ({
  value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, leaf, tie('list'), tie('map')),
  // Firestore does not store a list directly in a list.
  list: fc.array(fc.oneof(leaf, tie('map')), { maxLength: 4 }).map((pairs) => ({
    sdk: pairs.map((pair) => pair.sdk),
    own: pairs.map((pair) => pair.own),
  })),
  map: fc.dictionary(name, tie('value'), { maxKeys: 4 }).map((members) => ({
    sdk: Object.fromEntries(Object.entries(members).map(([key, pair]) => [key, pair.sdk])),
    own: Object.fromEntries(Object.entries(members).map(([key, pair]) => [key, pair.own])),
  })),
}));

function rfc3339({ seconds, nanoseconds }: Timestamp): string {
  const whole = new Date(seconds * 1000).toISOString().slice(0, -5);
  return `${whole}.${String(nanoseconds).padStart(9, '0')}Z`;
}

let made = 0;

/** A document that no other run uses. */
function freshPath(): string {
  made += 1;
  return `things/thing-${made}`;
}

/** Replaces the value of an existing document. */
async function write(path: string, fields: own.Fields): Promise<unknown> {
  return asRequest(async () => {
    const update = await getDocument(path, []);
    return update && commit([{ update, fields, mask: ['value'] }]);
  });
}

/** The value as read by the Admin SDK. */
async function sdkReads(path: string): Promise<unknown> {
  return (await sdk.doc(path).get()).get(new FieldPath('value')) as unknown;
}

test('the Admin SDK reads what this code writes', async () => {
  await fc.assert(
    fc.asyncProperty(value, async (pair) => {
      const path = freshPath();
      await sdk.doc(path).set({});
      const fields = own.toFields({ value: pair.own });

      const outcome = await write(path, fields);

      expect(outcome).toBe('done');
      expect(comparable(await sdkReads(path))).toEqual(comparable(pair.sdk));
    }),
    { numRuns: RUNS },
  );
});

test('this code reads what the Admin SDK writes', async () => {
  await fc.assert(
    fc.asyncProperty(value, async (pair) => {
      const path = freshPath();
      await sdk.doc(path).set({ value: pair.sdk });

      const stored = await asRequest(() => getDocument(path, ['value']));

      const expected = own.fromValue(own.toValue(pair.own));
      expect(comparable(own.fromValue(stored?.fields.value ?? {}))).toEqual(comparable(expected));
    }),
    { numRuns: RUNS },
  );
});

test('a passed-through value is written back unchanged, to the last digit', async () => {
  await fc.assert(
    fc.asyncProperty(value, async (pair) => {
      const path = freshPath();
      await sdk.doc(path).set({ value: pair.sdk });
      const before = comparable(await sdkReads(path));
      const stored = await asRequest(() => getDocument(path, ['value']));
      const fields = own.toFields({ value: new own.Unchanged(stored?.fields.value ?? {}) });

      await sdk.doc(path).set({});
      await write(path, fields);

      expect(comparable(await sdkReads(path))).toEqual(before);
    }),
    { numRuns: RUNS },
  );
});

test('a time has the same milliseconds as in the Admin SDK', () => {
  fc.assert(
    fc.property(micros, ({ seconds, nanos }) => {
      const stamp = new Timestamp(seconds, nanos);

      expect(own.millisOf({ timestampValue: rfc3339(stamp) })).toBe(stamp.toMillis());
    }),
  );
});

test.each([undefined, () => 0, Symbol('x')])('%p cannot be stored', (unstorable) => {
  expect(() => own.toValue(unstorable)).toThrow(TypeError);
});

/**
 * Normalizes times, which have several spellings. With `useBigInt` the SDK reads every integer as a bigint, and writes
 * an integral number as an integer.
 */
function comparable(read: unknown): unknown {
  if (typeof read === 'number' && Number.isSafeInteger(read) && !Object.is(read, -0)) {
    return BigInt(read);
  }
  if (read instanceof own.Timestamp) {
    return read.text.replace(
      /(?:\.(\d+))?Z$/,
      (_end, digits = '') => `.${String(digits).padEnd(9, '0')}`,
    );
  }
  if (Array.isArray(read)) return read.map(comparable);
  if (
    read !== null &&
    typeof read === 'object' &&
    Object.getPrototypeOf(read) === Object.prototype
  ) {
    return Object.fromEntries(
      Object.entries(read).map(([key, member]) => [key, comparable(member)]),
    );
  }
  return read;
}
