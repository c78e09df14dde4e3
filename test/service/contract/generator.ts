/** Random histories: what is stored at first, and what a few people then do, up to four at once. */
import fc, { type Arbitrary } from 'fast-check';
import type { WireFault } from '../../emulator/google/faults.ts';
import {
  storedArtist,
  storedAvailability,
  storedBooking,
  storedEvent,
  storedListing,
  storedMessage,
  storedPhoto,
  storedSession,
} from '../../support/factories.ts';
import type { Call, Operation } from './contract.ts';
import type { Writes } from './explain.ts';
import { isMap, type Data } from './values.ts';

/** In ids, `~` stands for what tells the documents and people of a history from those of others. */
export type History = readonly Round[];

/** What is stored first, what happens then at once, and the faults that strike meanwhile. */
export interface Round {
  readonly stored?: Writes;
  readonly actions: readonly Action[];
  readonly faults?: readonly Fault[];
}

/** A fault of calls to Firestore. */
export type Fault = Omit<WireFault, 'host' | 'about'>;

/** A call of the service, or a write of a document behind its back. */
export type Action = PlannedCall | { readonly write: Writes; readonly waitMs: number };

export interface PlannedCall {
  readonly call: Call;
  /** Whether it continues the page of the list that was read last. */
  readonly continues?: boolean;
  /** Whether it sends the entity tag of the last response to the same request. */
  readonly isConditional?: boolean;
}

/** Values to choose from, each as JSON and apart from the next by a space; the first is undefined, for none. */
function valuesOf(text: string): unknown[] {
  return [undefined, ...text.split(' ').map((value) => JSON.parse(value) as unknown)];
}

/** Stored values that are of the wrong kind somewhere. Firestore sorts the first by themselves, not by what is in them. */
const TIMESTAMP = '{"timestampValue":"2026-06-01T00:00:00.123456Z"}';
const SORTED = valuesOf(`null true "x" 7 1.5 ${TIMESTAMP} {"doubleValue":3} {"doubleValue":"NaN"}`);
const ODD = [
  ...SORTED,
  ...valuesOf('{"integerValue":"9007199254740993"} [] {} ["x",7,null] [{"url":7}]'),
];

/** Values that are invalid somewhere in a request. A text after `#` is sent as it is. */
const BAD = [
  ...valuesOf(
    'null true 0 -1 0.5 367 9007199254740992 "#1e999" "30" "" "x" "~bob" "a/b" ".." "__x__"',
  ),
  ...valuesOf('"\\ud800" [] {} [[1]] {"Monday":[[1]]} {"Monday":{"__a__":1}} {"monday":1}'),
  ...[
    'x'.repeat(1501),
    '🖋'.repeat(201),
    ...[500, 501].map((size) => Array<string>(size).fill('~f0')),
  ],
];

/** Usual values, or a way to choose one. */
type Usual = readonly unknown[] | Arbitrary<unknown>;
type Fields = Readonly<Record<string, Usual>>;

function choice(usual: Usual): Arbitrary<unknown> {
  return usual instanceof fc.Arbitrary ? usual : fc.constantFrom<unknown>(...usual);
}

/** A usual value, and one time in twenty another. */
function mostly(usual: Usual, others: readonly unknown[]): Arbitrary<unknown> {
  return fc.oneof({ weight: 19, arbitrary: choice(usual) }, fc.constantFrom(...others));
}

/** A map of fields with usual values, and one time in twenty others. */
function record(fields: Fields, others: readonly unknown[]): Arbitrary<Data> {
  return arbitraryRecord(fields, (usual) =>
    usual instanceof fc.Arbitrary ? usual : mostly(usual, others),
  );
}

/** Some members of a map, at every level. */
function some(whole: Data): Arbitrary<Data> {
  return arbitraryRecord(whole, (value) =>
    fc.option(mostly(isMap(value) ? some(value) : [value], ODD), { freq: 1, nil: undefined }),
  );
}

function arbitraryRecord<Value>(
  values: Readonly<Record<string, Value>>,
  arbitraryOf: (value: Value) => Arbitrary<unknown>,
): Arbitrary<Data> {
  const members = Object.entries(values).map(([name, value]) => [name, arbitraryOf(value)]);
  return fc.record(Object.fromEntries(members) as Record<string, Arbitrary<unknown>>);
}

/** One to three, sometimes with repetitions. */
function few(usual: Usual): Arbitrary<unknown> {
  const size = { minLength: 1, maxLength: 3 };
  const selector = (value: unknown) => (isMap(value) ? value.id : value);
  const [any, all] = [
    fc.array(choice(usual), size),
    fc.uniqueArray(choice(usual), { ...size, selector }),
  ];
  return mostly(fc.oneof(any, all), BAD);
}

const NOW = Date.UTC(2026, 5, 1);
const TIMES = [NOW, NOW + 1, NOW + 2];
/** Alice owns most, Bob some. Carol is a client, and Dave has no profile. */
const OWNERS = ['~alice', '~alice', '~alice', '~bob'];
const caller = mostly(OWNERS, ['~carol', '~dave', undefined]);

const session = mostly([1, 1, 2, 2, 3].map(storedSession), [
  ...valuesOf(`null {"sessionNumber":"2"} {"sessionNumber":{"doubleValue":2},"at":${TIMESTAMP}}`),
  ...valuesOf('{"n":{"integerValue":"9007199254740993"}} {"sessionNumber":1.5}'),
  { at: { geoPointValue: { latitude: 48.5, longitude: -16 } } },
]).map((each) => each ?? null);
const visible = {
  ...{ artistId: OWNERS, order: mostly([0, 1, 2, 3], SORTED) },
  isVisible: mostly([true], [false, 'true']),
};
const user = { ...storedArtist({ clientInfo: { x: 1 } }), newNotificationsCount: 7 };
const verified = fc.tuple(some(user.artistInfo), record({ isVerified: [true] }, ODD)).map(merged);

/** The documents of each kind: these fields, and some others of a complete one. The kind is how paths begin. */
const kinds: Readonly<Record<string, Arbitrary<Data>>> = {
  'flash/~f': documentOf(storedListing(), { ...visible, updatedAt: [NOW, 4e12] }),
  'gallery/~g': documentOf(storedPhoto(), visible),
  'bookings/~b': documentOf(storedBooking(), {
    ...{ artistId: OWNERS, sessions: fc.array(session, { maxLength: 6 }) },
  }),
  'unavailableEvents/~e': documentOf(storedEvent(), { artistId: OWNERS }),
  'availability/~a': documentOf(storedAvailability(), { artistId: OWNERS, updatedAt: TIMES }),
  'conversations/~c': documentOf({}, { participantIds: [['~alice', '~bob'], ['~carol']] }),
  'conversations/~c0/messages/~m': documentOf(storedMessage(), {
    timestamp: mostly(TIMES, SORTED),
  }),
  'users/~u': documentOf(user, { userType: ['artist'], artistInfo: verified }),
  'users/~alice': some(user),
  'users/~bob': some(user),
};

function documentOf(complete: Data, fields: Fields): Arbitrary<Data> {
  return fc.tuple(some({ ...complete, secret: 'x' }), record(fields, ODD)).map(merged);
}

function pathsOf(start: string, size: number): string[] {
  return Array.from({ length: size }, (_, number) => `${start}${number}`);
}

/** The paths of the documents that all operations are called on. */
export const PATHS = Object.keys(kinds).flatMap((kind) =>
  /~.$/.test(kind) ? pathsOf(kind, /[fgm]$/.test(kind) ? 5 : 2) : [kind],
);

function merged(parts: readonly Data[]): Data {
  return Object.assign({}, ...parts) as Data;
}

/** The id of a document of a kind, or of none. */
function id(start: string, size: number): Arbitrary<unknown> {
  return mostly(pathsOf(`~${start}`, size), [`~${start}9`, ...BAD]);
}

function calling(operation: Operation, parts: Readonly<Record<string, Arbitrary<unknown>>>) {
  return fc.record({ call: fc.record({ operation: fc.constant(operation), caller, ...parts }) });
}

/** Calls with these fields in the body. */
function sending(operation: Operation, fields: Fields): Arbitrary<unknown> {
  const sent = mostly(record(fields, BAD), ['#', '#{', null, [], 'x']);
  return calling(operation, {
    body: sent.map((value) => JSON.stringify(value).replace(/"#(.*?)"/g, '$1')),
  });
}

/** Reads of pages of lists, some of which continue another. */
function paging(operation: Operation, list: Usual, start: string): Arbitrary<unknown> {
  const of = mostly(list, ['~nobody', '__x__', 'a/b']);
  const limit = mostly(
    [undefined, '1', '2', '3'],
    valuesOf('"50" "51" "101" "" "x" "1.5" "-1" ["1","2"]'),
  );
  const cursor = fc.option(
    id(start, 5).map((value) => String(value).toWellFormed()),
    { freq: 1, nil: undefined },
  );
  const isPublic = operation.includes('artist');
  const query = fc.record({ limit, cursor, ...(!isPublic && { conversationId: of }) });
  const call = calling(operation, { query, ...(isPublic && { artistId: of }) });
  return fc
    .tuple(call, fc.record({ continues: fc.boolean(), isConditional: fc.boolean() }))
    .map(merged);
}

/** Changes of the first few bookings, listings and photos. */
const deleting = (size: number) =>
  sending('POST /bookings/delete-session', {
    ...{ bookingId: id('b', size), sessionNumber: mostly([1, 1, 2, 2, 3], [1.5, '#-0', ...BAD]) },
  });
const changing = (size: number) =>
  fc.oneof(
    sending('PUT /flash/reorder', {
      flashUpdates: few(record({ id: id('f', size), order: [0, 1, 2, '#-0'] }, BAD)),
    }),
    sending('PUT /flash/mark-as-available', { flashIds: few(id('f', size)) }),
    sending('PUT /flash/mark-as-unavailable', { flashIds: few(id('f', size)) }),
  );
const removing = (size: number) =>
  sending('DELETE /gallery/remove-photos', { photoIds: few(id('g', size)) });

const pages = [
  paging('GET /flash/artist/{id}/paginated', OWNERS, 'f'),
  paging('GET /gallery/artist/{artistId}/paginated', OWNERS, 'g'),
  paging('GET /conversations/get-messages', ['~c0', '~c0', '~c1'], 'm'),
] as const;
const others = [
  calling('GET /artists', {}),
  sending('POST /notifications/reset-new-notifications', {}),
  sending('POST /availability/update-availability', {
    ...{ artistId: OWNERS, availabilityId: id('a', 2), isActive: [true, false] },
    weeklySlots: [{ Monday: [] }, { Sunday: [{ a: 1.5, b: null }], Friday: 'x' }],
    dateRangeType: ['indefinitely', 'specific', 'rolling'],
    ...{ rollingDays: [30, '30', undefined], effectiveFrom: TIMES, effectiveUntil: TIMES },
    ...{ createdAt: TIMES, updatedAt: TIMES },
  }),
  sending('PUT /unavailable-events/edit-unavailable-event', {
    ...{ id: id('e', 2), title: ['Dentist', 'Holiday', '🖋'.repeat(200)] },
    ...{ date: TIMES, startTime: TIMES, endTime: [NOW + 2, NOW + 3] },
  }),
  calling('DELETE /gallery/remove-photos', {
    query: fc.record({ photoIds: fc.constantFrom('~g0', ['~g1', '~g2'], undefined) }),
  }),
];

/** Faults before and after Firestore has executed a call. */
const KINDS = [
  ...(['delayed', 'delayed', 'empty', 'hang', 'html', 'reset', 'status', 'status'] as const),
  ...([
    'cut',
    'cut in chunks',
    'error at the end',
    'hang after effect',
    'hang within body',
  ] as const),
  ...(['reset after effect', 'reset within body', 'status after effect'] as const),
];
const fault = fc.record({
  call: choice([
    'commit',
    'commit',
    'commit',
    'commit',
    'batchGet',
    'runQuery',
    'runAggregationQuery',
  ]),
  ...{ kind: choice(KINDS), status: choice([500, 503, 504]), times: choice([1, 1, 2, 20, 20]) },
});

function kindOf(path: string): Arbitrary<Data> {
  return kinds[path.replace(/\d+$/, '')] ?? fc.constant({});
}

/** The documents with these paths; sometimes one is deleted. */
function stored(paths: readonly string[], freq = 20): Arbitrary<unknown> {
  const data = paths.map((path) => [path, fc.option(kindOf(path), { freq })]);
  return fc.record(Object.fromEntries(data) as Record<string, Arbitrary<unknown>>);
}

/** Histories of these actions, and of direct writes of the documents with these paths. */
function historiesOf(
  actions: readonly Arbitrary<unknown>[],
  paths: readonly string[],
  faults: number,
): Arbitrary<History> {
  // A commit in doubt is read again after a while.
  const waitMs = fc.nat({ max: faults === 0 ? 4 : 100 });
  const write = fc
    .constantFrom(...paths)
    .chain((path) => fc.record({ write: stored([path], 2), waitMs }));
  const round = {
    actions: fc.array(fc.oneof(write, ...actions), { minLength: 1, maxLength: 4 }),
    faults: fc.array(fault, { maxLength: faults }),
  };
  const first = fc.record({ ...round, stored: stored(paths) });
  const anew = fc.option(stored(paths), { freq: 2, nil: undefined });
  const later = fc.record({ ...round, stored: anew });
  return fc
    .tuple(first, fc.array(later, { maxLength: 7 }))
    .map(([one, more]) => [one, ...more] as History);
}

/**
 * A third of the histories have all operations on all documents. The others change the same booking, listings or photos
 * all the time, or read the same list, which is longer than a page. Up to so many faults strike at once.
 */
export function histories(faults = 0): Arbitrary<History> {
  const [listings, , messages] = pages;
  const all = [deleting(2), changing(5), removing(5), ...pages, ...others];
  const many = ['conversations/~c0', ...pathsOf('conversations/~c0/messages/~m', 52)];
  const weighted = [
    [4, historiesOf(all, PATHS, faults)],
    [2, historiesOf([deleting(1), deleting(1)], ['bookings/~b0'], faults)],
    [2, historiesOf([changing(2), changing(2)], pathsOf('flash/~f', 2), faults)],
    [2, historiesOf([removing(2), removing(2)], pathsOf('gallery/~g', 2), faults)],
    [1, historiesOf([listings], pathsOf('flash/~f', 22), faults)],
    [1, historiesOf([messages], many, faults)],
  ] as const;
  return fc.oneof(...weighted.map(([weight, arbitrary]) => ({ weight, arbitrary })));
}
