/** Random histories: what is stored at first, and what a few people then do, up to four at once. */
import fc, { type Arbitrary } from 'fast-check';
import type { FaultKind, WireFault } from '../../dev/google/faults.ts';
import { storedDocument } from '../../dev/shared/factories.ts';
import type { Call, FunctionId } from './contract.ts';
import { isMap, type Data } from './values.ts';

/** In ids, `~` stands for what tells the documents and people of a history from those of others. */
export type History = readonly Round[];

interface Round {
  /** What is stored first. */
  readonly first?: PlannedCall | undefined;
  /** What happens then at once. */
  readonly actions: readonly PlannedCall[];
  readonly faults: readonly Fault[];
}

export interface PlannedCall {
  readonly call: Call;
  /** Whether it continues the page of the list that was read last. */
  readonly continues?: boolean;
  readonly waitMs?: number;
}

/** A fault of calls to Firestore. */
export type Fault = Omit<WireFault, 'host' | 'about'>;

// Values.

const NOW = Date.UTC(2026, 5, 1);

// As Firestore's REST API has them.
const TIMESTAMP = { timestampValue: '2026-06-01T00:00:00.123456Z' };
const NOT_A_NUMBER = { doubleValue: 'NaN' };
const LARGE = { integerValue: '9007199254740993' };

/** Stored values by which Firestore sorts, of several kinds; undefined is none. */
const SORTED = [
  ...[undefined, null, true, 'x', 7, 1.5, -3, 1e300, TIMESTAMP, { doubleValue: 3 }, NOT_A_NUMBER],
];

/** A few of them make a page that is too large to be read at once. */
const LONG = 'x'.repeat(900_000);

/** Stored values that are of the wrong kind somewhere. */
const ODD = [...SORTED, LARGE, [], {}, ['x', 7, null], [{ url: 7 }]];

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

function of(...values: readonly unknown[]): Arbitrary<unknown> {
  return fc.constantFrom(...values);
}

/** A usual value, and one time in twenty another. */
function mostly(usual: readonly unknown[], others: readonly unknown[]): Arbitrary<unknown> {
  return fc.oneof({ weight: 19, arbitrary: of(...usual) }, of(...others));
}

const bad = fc.oneof(
  { weight: 9, arbitrary: of(...BAD) },
  { weight: 1, arbitrary: fc.jsonValue() },
);
const badText = fc.oneof(of(...BAD_TEXTS), fc.string());

type Fields = Readonly<Record<string, Arbitrary<unknown>>>;

/** Some of these maps, with other values in up to three places, at any level. */
function spoilt(maps: Arbitrary<Data>, value: Arbitrary<unknown>): Arbitrary<Data> {
  const change = fc.record({ at: fc.nat(), value });
  const changes = fc.oneof(
    { weight: 4, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(change, { minLength: 1, maxLength: 3 }) },
  );
  return fc
    .tuple(maps, changes)
    .map(([map, all]) => all.reduce((now, { at, value }) => replaced(now, at, value), map));
}

function replaced(map: Data, at: number, value: unknown): Data {
  const names = Object.keys(map);
  const name = names[at % names.length];
  if (name === undefined) return map;
  const [member, inside] = [map[name], Math.floor(at / names.length)];
  return { ...map, [name]: isMap(member) ? replaced(member, inside, value) : value };
}

// Stored documents.

/** Times as other programs store them: of another kind, in seconds, far ahead, beyond what is a time, or none. */
const OTHER_TIMES = [
  ...[
    TIMESTAMP,
    { timestampValue: '1969-12-31T23:59:59.999999Z' },
    { timestampValue: '2099-01-01T00:00:00Z' },
  ],
  ...[NOW / 1000, NOW + 0.5, 4e12, 2.6e14, 9e15, undefined, null, '2026-06-01'],
];
const time = fc.oneof(of(NOW, NOW + 1, NOW + 2), of(...OTHER_TIMES));
const artistId = mostly(['~alice', '~bob'], ODD);
const isVisible = mostly([true, true, true, false], ODD);
const order = fc.oneof({ weight: 4, arbitrary: of(0, 1, 2, 3) }, of(0.5, 1.5, -1, ...SORTED));
const timestamp = mostly([NOW, NOW + 1, NOW + 2], SORTED);
const participantIds = mostly([['~alice', '~bob'], ['~alice']], ODD);
const session = mostly(
  [1, 1, 1, 2, 3].map((sessionNumber) => ({ sessionNumber, notes: `Session ${sessionNumber}` })),
  [
    ...[null, { sessionNumber: '2' }, { sessionNumber: 1.5 }, { n: LARGE }],
    { sessionNumber: { doubleValue: 2 }, at: TIMESTAMP },
    { at: { geoPointValue: { latitude: 48.5, longitude: -16 } } },
  ],
);
const sessions = fc.array(session, { maxLength: 6 });
const user = storedDocument('users');
const artistInfo = spoilt(fc.constant(user.artistInfo as Data), of(...ODD));

/** The documents of each kind, by how their paths begin. */
const kinds: Readonly<Record<string, Arbitrary<Data>>> = {
  'flash/~f': storing(storedDocument('flash'), {
    artistId,
    isVisible,
    order,
    updatedAt: time,
  }),
  'gallery/~g': storing(storedDocument('gallery'), {
    artistId,
    isVisible,
    order,
    uploadedAt: time,
  }),
  'gallery/~p': storing(storedDocument('gallery'), {
    artistId: of('~alice'),
    isVisible: of(true),
    order,
  }),
  // Large ones. What is in `secret` is never read.
  'flash/~l': fc.constantFrom('notes', 'notes', 'secret').chain((name) =>
    storing(storedDocument('flash'), {
      artistId: of('~alice'),
      isVisible,
      order,
      [name]: of('x', LONG),
    }),
  ),
  'conversations/~c0/messages/~n': storing(storedDocument('messages'), {
    timestamp,
    content: of('x', LONG),
  }),
  'bookings/~b': storing(storedDocument('bookings'), { artistId, sessions }),
  'unavailableEvents/~e': storing(storedDocument('unavailableEvents'), {
    artistId,
    ...{ date: time, startTime: time, endTime: time },
  }),
  'availability/~a': storing(storedDocument('availability'), {
    artistId,
    ...{ effectiveFrom: time, effectiveUntil: time, createdAt: time, updatedAt: time },
  }),
  'conversations/~c': storing({}, { participantIds }),
  'conversations/~c0/messages/~m': storing(storedDocument('messages'), { timestamp }),
  'users/~u': storing(user, { userType: mostly(['artist'], ODD), artistInfo }),
  'users/~alice': storing(user, {}),
  'users/~bob': storing(user, {}),
};

/** Documents with these fields, and with some others of a complete one. */
function storing(complete: Data, fields: Fields): Arbitrary<Data> {
  const others = fc.constantFrom(...Object.entries({ ...complete, secret: 'x' }));
  const some = fc.array(others, { maxLength: 4 }).map((entries) => Object.fromEntries(entries));
  return fc
    .tuple(spoilt(some, of(...ODD)), fc.record(fields))
    .map((parts) => Object.assign({}, ...parts));
}

/** So many paths or ids. */
function numbered(start: string, size: number): string[] {
  return Array.from({ length: size }, (_, number) => `${start}${number}`);
}

/** A write of the documents with these paths. One time in so many, one of them is deleted instead. */
function storingAll(
  paths: readonly string[],
  freq = 20,
  waitMs: Arbitrary<number> = fc.constant(0),
) {
  const data = paths.map((path) => {
    const kind = kinds[path.replace(/\d+$/, '')] ?? fc.constant({});
    return [path, fc.option(kind, { freq })] as const;
  });
  const written = fc.record(Object.fromEntries(data));
  const call = written.map((documents): Call => ({
    functionId: 'others',
    caller: 'another program',
    written: documents,
  }));
  return fc.record({ call, waitMs });
}

// Calls.

/** Mostly Alice, so that ownership often changes while its owner calls. Dave has no profile. */
const caller = mostly(['~alice', '~alice', '~alice', '~bob'], ['~carol', '~dave', undefined]);

function calling(functionId: FunctionId, parts: Fields): Arbitrary<PlannedCall> {
  const call = fc.record({ functionId: fc.constant(functionId), caller, ...parts });
  return fc.record({ call, continues: fc.boolean() }) as Arbitrary<PlannedCall>;
}

/** Calls with these fields in the body. */
function sending(functionId: FunctionId, fields: Fields): Arbitrary<PlannedCall> {
  const body = spoilt(fc.record(fields), bad).map((sent) =>
    JSON.stringify(sent).replace(/"#(.*?)"/g, '$1'),
  );
  return calling(functionId, { body });
}

function few<Value>(each: Arbitrary<Value>): Arbitrary<Value[]> {
  return fc.array(each, { minLength: 1, maxLength: 3 });
}

/** Changes of the first few bookings, listings and photos. */
const deleting = (size: number) =>
  sending('bookings-deleteSession', {
    bookingId: of(...numbered('~b', size)),
    sessionNumber: mostly([1, 1, 1, 2, 3], [1.5, '#-0']),
  });
const changing = (size: number) => {
  const id = of(...numbered('~f', size));
  const updates = few(spoilt(fc.record({ id, order: of(0, 1, 2, 0.5, -1, 1e300, '#-0') }), bad));
  const unique = updates.map((all) => [...new Map(all.map((each) => [each.id, each])).values()]);
  return fc.oneof(
    sending('flash-reorder', { flashUpdates: fc.oneof(unique, unique, updates) }),
    sending('flash-markAsAvailable', { flashIds: few(id) }),
    sending('flash-markAsUnavailable', { flashIds: few(id) }),
  );
};
const removing = (size: number) =>
  sending('gallery-removePhotos', { photoIds: few(of(...numbered('~g', size))) });

/** Reads of pages. */
const artist = mostly(['~alice', '~alice', '~bob'], ['~nobody', 'a/b', '__x__']);
const listings = (start = '~f') =>
  calling('flash-listByArtist', {
    params: fc.record({ id: artist }),
    query: paging(start, {}),
  });
const photos = calling('gallery-listByArtist', {
  params: fc.record({ artistId: artist }),
  query: paging('~g', {}),
});
const messages = calling('conversations-getMessages', {
  query: paging('~m', { conversationId: mostly(['~c0'], ['~c1']) }),
});

function paging(start: string, fields: Fields): Arbitrary<Data> {
  const limit = of(undefined, '1', '1', '2', '3', '50');
  const cursor = of(undefined, undefined, ...numbered(start, 5));
  return spoilt(fc.record({ ...fields, limit, cursor }), badText);
}

/** Times in requests. */
const sentTime = mostly(
  [NOW, NOW + 1, NOW + 2],
  [
    NOW + 0.5,
    NOW + 0.001,
    -0.5,
    '#-0',
    '#-1e-20',
    -62_135_596_800_000.5,
    253_402_300_799_999.97,
    2.6e14,
  ],
);
const others = [
  calling('artists-list', {}),
  sending('notifications-resetNewNotifications', {}),
  sending('availability-updateAvailability', {
    artistId,
    availabilityId: of('~a0', '~a1'),
    isActive: fc.boolean(),
    weeklySlots: of({ Monday: [] }, { Sunday: [{ a: 1.5, b: null }], Friday: 'x' }),
    dateRangeType: of('indefinitely', 'specific', 'rolling'),
    rollingDays: of(30, '30', undefined),
    ...{ effectiveFrom: sentTime, effectiveUntil: sentTime },
    ...{ createdAt: sentTime, updatedAt: sentTime },
  }),
  sending('unavailableEvents-editUnavailableEvent', {
    id: of('~e0', '~e1'),
    title: of('Dentist', 'Holiday', '🖋'.repeat(200)),
    ...{ date: sentTime, startTime: sentTime, endTime: of(NOW + 2, NOW + 3, NOW + 3.25) },
  }),
  calling('gallery-removePhotos', {
    query: fc.record({ photoIds: of('~g0', ['~g1', '~g2'], undefined) }),
  }),
];

// Faults, before and after Firestore has executed a call.

const FAULTS: readonly FaultKind[] = [
  ...(['delayed', 'delayed', 'hang', 'disconnect', 'disconnect', 'status', 'status'] as const),
  ...(['cut', 'error at the end', 'hang after effect', 'hang after effect'] as const),
  ...(['disconnect after effect', 'disconnect after effect', 'status after effect'] as const),
];
const READS = ['batchGet', 'runQuery', 'runAggregationQuery'];
const fault: Arbitrary<Fault> = fc.record({
  call: fc.constantFrom(...READS, 'commit', 'commit', 'commit', 'commit'),
  kind: fc.constantFrom(...FAULTS),
  // 520 stands for UNKNOWN.
  status: fc.constantFrom(499, 500, 503, 504, 520),
  times: fc.constantFrom(1, 1, 2, 20, 20),
});

// Histories.

/** Histories of these calls, and of direct writes of the documents with these paths. */
function historiesOf(
  calls: readonly Arbitrary<PlannedCall>[],
  paths: readonly string[],
  faults: number,
): Arbitrary<History> {
  // A commit in doubt is read again after a while.
  const waitMs = fc.nat({ max: faults === 0 ? 4 : 100 });
  const write = fc.constantFrom(...paths).chain((path) => storingAll([path], 2, waitMs));
  const round = fc.record({
    first: fc.option(storingAll(paths), { freq: 2, nil: undefined }),
    actions: fc.array(fc.oneof(write, ...calls), { minLength: 1, maxLength: 4 }),
    faults: fc.array(fault, { maxLength: faults }),
  });
  return fc.array(round, { minLength: 2, maxLength: 8 });
}

/**
 * A fifth of the histories have all calls on all documents. The others change the same booking, listings or photos
 * all the time, or read the same list. Up to so many faults strike at once.
 */
export function histories(faults = 0): Arbitrary<History> {
  const all = [deleting(2), changing(5), removing(5), listings(), photos, messages, ...others];
  const small = Object.keys(kinds).filter((kind) => !/~[ln]$/.test(kind));
  const everything = small.flatMap((kind) =>
    /~.$/.test(kind) ? numbered(kind, /[fgm]$/.test(kind) ? 5 : 2) : [kind],
  );
  const conversation = ['conversations/~c0', ...numbered('conversations/~c0/messages/~m', 5)];
  const large = [
    historiesOf([listings('~l')], numbered('flash/~l', 4), faults),
    historiesOf(
      [messages],
      [...conversation.slice(0, 1), ...numbered('conversations/~c0/messages/~n', 4)],
      faults,
    ),
  ];
  const weighted = [
    [4, historiesOf(all, everything, faults)],
    [5, historiesOf([deleting(1)], ['bookings/~b0'], faults)],
    [2, historiesOf([deleting(1), deleting(1), deleting(1)], ['bookings/~b0'], faults)],
    [2, historiesOf([changing(2)], numbered('flash/~f', 2), faults)],
    [2, historiesOf([removing(2)], numbered('gallery/~g', 2), faults)],
    [3, historiesOf([listings()], numbered('flash/~f', 8), faults)],
    // Longer than a usual page.
    [1, historiesOf([photos, photos], numbered('gallery/~p', 22), faults)],
    [1, historiesOf([messages], conversation, faults)],
    [1, fc.oneof(...large)],
  ] as const;
  return fc.oneof(...weighted.map(([weight, arbitrary]) => ({ weight, arbitrary })));
}
