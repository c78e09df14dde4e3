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

/** Values to choose from, mostly: one time in twenty another value is chosen. Or any way to choose. */
type Choice = readonly unknown[] | Arbitrary<unknown>;

function mostly(choice: Choice, unusual: readonly unknown[]): Arbitrary<unknown> {
  const usual = choice instanceof fc.Arbitrary ? choice : fc.constantFrom<unknown>(...choice);
  return fc.oneof({ weight: 19, arbitrary: usual }, fc.constantFrom(...unusual));
}

/** A map in which an array of values is a choice. */
function record(fields: Readonly<Record<string, Choice>>, unusual: readonly unknown[]) {
  const members = Object.entries(fields).map(([name, choice]) => [
    name,
    choice instanceof fc.Arbitrary ? choice : mostly(choice, unusual),
  ]);
  return fc.record(Object.fromEntries(members) as Record<string, Arbitrary<unknown>>);
}

function maybe(value: Arbitrary<unknown>, freq: number): Arbitrary<unknown> {
  return fc.option(value, { freq, nil: undefined });
}

function upTo3(value: Arbitrary<unknown>): Arbitrary<unknown> {
  const size = { minLength: 1, maxLength: 3 };
  return mostly(
    fc.oneof(fc.array(value, size), fc.uniqueArray(value, { ...size, selector: idOf })),
    BAD,
  );
}

function idOf(value: unknown): unknown {
  return isMap(value) ? value.id : value;
}

const NOW = Date.UTC(2026, 5, 1);
const TIMES = [NOW, NOW + 1, NOW + 2];
const TIMESTAMP = { timestampValue: '2026-06-01T00:00:00.123456Z' };
const HUGE = { integerValue: '9007199254740993' };
const SPOT = { geoPointValue: { latitude: 48.2, longitude: -16.4 } };

/** Stored values of a kind that is often wrong; undefined is none. */
const SCALARS = [
  undefined,
  null,
  true,
  'x',
  7,
  1.5,
  TIMESTAMP,
  { doubleValue: 3 },
  { doubleValue: 'NaN' },
];
const ODD = [...SCALARS, HUGE, SPOT, [], {}, ['x', 7, null], [{ url: 7 }]];

/** What is invalid somewhere in a request; undefined is none. A text after `#` is sent as it is. */
const BAD = [
  ...[
    undefined,
    null,
    true,
    0,
    -1,
    0.5,
    367,
    2 ** 53,
    '#1e999',
    '30',
    '',
    'x',
    '~bob',
    'a/b',
    '..',
  ],
  ...[
    '__x__',
    '\ud800',
    'x'.repeat(1501),
    '🖋'.repeat(201),
    [],
    {},
    [[1]],
    { Monday: [[1]] },
    { monday: 1 },
  ],
];

/** Alice owns most, Bob some. Carol is a client, and Dave has no profile. */
const OWNERS = ['~alice', '~alice', '~alice', '~bob'];
const caller = mostly(OWNERS, ['~carol', '~dave', undefined]);

const SESSIONS = [
  ...[1, 1, 2, 2, 3].map(storedSession),
  ...[
    { sessionNumber: { doubleValue: 2 }, TIMESTAMP, SPOT },
    { HUGE },
    { sessionNumber: '2' },
    null,
  ],
];
const visible = {
  artistId: OWNERS,
  order: mostly([0, 1, 2, 3], SCALARS),
  isVisible: mostly([true], [false, 'true']),
};
const user = { ...storedArtist({ clientInfo: { x: 1 } }), newNotificationsCount: 7 };
const artistInfo = fc.tuple(some(user.artistInfo), record({ isVerified: [true] }, ODD)).map(merged);

/** The documents of a history by path. */
const documents: Readonly<Record<string, Arbitrary<Data>>> = {
  ...numbered('flash/~f', 5, storedListing(), { ...visible, updatedAt: [NOW, 4e12] }),
  ...numbered('gallery/~g', 5, storedPhoto(), visible),
  ...numbered('bookings/~b', 2, storedBooking(), {
    ...{ artistId: OWNERS, sessions: fc.array(fc.constantFrom(...SESSIONS), { maxLength: 5 }) },
  }),
  ...numbered('unavailableEvents/~e', 2, storedEvent(), { artistId: OWNERS }),
  ...numbered('availability/~a', 2, storedAvailability(), {
    artistId: OWNERS,
    updatedAt: [NOW, 4e12],
  }),
  ...numbered(
    'conversations/~c',
    2,
    {},
    {
      participantIds: [
        ['~alice', '~carol'],
        ['~bob', '~alice'],
      ],
    },
  ),
  ...numbered('conversations/~c0/messages/~m', 5, storedMessage(), {
    timestamp: mostly(TIMES, SCALARS),
  }),
  ...numbered('users/~u', 1, user, { userType: ['artist'], artistInfo }),
  ...Object.fromEntries(['alice', 'bob', 'carol'].map((name) => [`users/~${name}`, some(user)])),
};

/** The paths of all documents that may be stored. */
export const PATHS = Object.keys(documents);

/** Documents of one kind. They have these fields, and some of the others. */
function numbered(
  start: string,
  size: number,
  whole: Data,
  fields: Readonly<Record<string, Choice>>,
) {
  const data = fc.tuple(some({ ...whole, secret: 'x' }), record(fields, ODD)).map(merged);
  return Object.fromEntries(pathsOf(start, size).map((path) => [path, data]));
}

function pathsOf(start: string, size: number): string[] {
  return Array.from({ length: size }, (_, number) => `${start}${number}`);
}

function merged(parts: readonly Data[]): Data {
  return Object.assign({}, ...parts) as Data;
}

/** Some members of a map, at every level. */
function some(whole: Data): Arbitrary<Data> {
  const members = Object.entries(whole).map(([name, value]) => [
    name,
    maybe(mostly(isMap(value) ? some(value) : [value], ODD), 1),
  ]);
  return fc.record(Object.fromEntries(members) as Record<string, Arbitrary<unknown>>);
}

/** The id of a document of a kind, or of none. */
function id(start: string, size: number): Arbitrary<unknown> {
  return mostly(pathsOf(`~${start}`, size), [`~${start}9`, ...BAD]);
}

function called(operation: Operation, parts: Readonly<Record<string, Arbitrary<unknown>>>) {
  return fc.record({ operation: fc.constant(operation), caller, ...parts });
}

/** Calls with these fields in the body. */
function sending(
  operation: Operation,
  fields: Readonly<Record<string, Choice>>,
): Arbitrary<unknown> {
  const body = mostly(record(fields, BAD), ['#', '#{', null, [], 'x']).map((sent) =>
    JSON.stringify(sent).replace(/"#(.*?)"/g, '$1'),
  );
  return fc.record({ call: called(operation, { body }) });
}

/** Reads of pages of a list, some of which continue another. */
function paging(
  operation: Operation,
  of: 'artistId' | 'conversationId',
  list: Choice,
  start: string,
) {
  const which = { [of]: mostly(list, ['~nobody', '__x__', 'a/b']) };
  const limit = mostly(
    [undefined, '1', '2', '3'],
    ['50', '51', '101', '', 'x', '1.5', '-1', ['1', '2']],
  );
  const cursor = maybe(
    id(start, 5).map((value) => String(value).toWellFormed()),
    1,
  );
  const query = fc.record({ limit, cursor, ...(of === 'conversationId' && which) });
  const call = called(operation, { query, ...(of === 'artistId' && which) });
  return fc.record({ call, continues: fc.boolean(), isConditional: fc.boolean() });
}

/** Calls that delete sessions, change listings or remove photos, of the first few documents. */
const deleting = (size: number) =>
  sending('bookings-deleteSession', {
    ...{ bookingId: id('b', size), sessionNumber: [1, 1, 2, 2, 3, 1.5, '#-0'] },
  });
const changing = (size: number) =>
  fc.oneof(
    sending('flash-reorder', {
      flashUpdates: upTo3(record({ id: id('f', size), order: [0, 1, 2, '#-0'] }, BAD)),
    }),
    sending('flash-markAsAvailable', { flashIds: upTo3(id('f', size)) }),
    sending('flash-markAsUnavailable', { flashIds: upTo3(id('f', size)) }),
  );
const removing = (size: number) =>
  sending('gallery-removePhotos', { photoIds: upTo3(id('g', size)) });

const inQuery = fc.record({ photoIds: fc.constantFrom('~g0', ['~g1', '~g2'], undefined) });
const others = [
  sending('notifications-resetNewNotifications', {}),
  sending('availability-updateAvailability', {
    ...{ artistId: OWNERS, availabilityId: id('a', 2), isActive: [true, false] },
    weeklySlots: [{ Monday: [] }, { Sunday: [{ a: 1.5, b: null }], Friday: 'x' }],
    ...{
      dateRangeType: ['indefinitely', 'specific', 'rolling'],
      rollingDays: [30, '30', undefined],
    },
    ...{ effectiveFrom: TIMES, effectiveUntil: TIMES, createdAt: TIMES, updatedAt: TIMES },
  }),
  sending('unavailableEvents-editUnavailableEvent', {
    ...{ id: id('e', 2), title: ['Dentist', 'Holiday', '🖋'.repeat(200)] },
    ...{ date: TIMES, startTime: TIMES, endTime: [NOW + 2, NOW + 3] },
  }),
  fc.record({ call: called('gallery-removePhotos', { query: inQuery }) }),
  fc.record({ call: called('artists-list', {}) }),
];
const pages = [
  paging('flash-listByArtist', 'artistId', OWNERS, 'f'),
  paging('gallery-listByArtist', 'artistId', OWNERS, 'g'),
  paging('conversations-getMessages', 'conversationId', ['~c0', '~c0', '~c1'], 'm'),
];

/** Faults before and after Firestore has executed a call. */
const fault = fc.record({
  call: fc.constantFrom(
    'commit',
    'commit',
    'commit',
    'batchGet',
    'runQuery',
    'runAggregationQuery',
  ),
  kind: fc.constantFrom(
    ...[
      'delayed',
      'delayed',
      'empty',
      'hang',
      'html',
      'reset',
      'status',
      'status',
      'status after effect',
    ],
    ...['cut', 'cut in chunks', 'error at the end', 'hang after effect', 'hang within body'],
    ...['reset after effect', 'reset within body'],
  ),
  status: fc.constantFrom(500, 503, 504),
  times: fc.constantFrom(1, 1, 2, 9),
});

/** The documents with these paths; sometimes one is deleted. */
function stored(paths: readonly string[], freq = 20): Arbitrary<unknown> {
  const data = paths.map((path) => [path, fc.option(documents[path] ?? fc.constant({}), { freq })]);
  return fc.record(Object.fromEntries(data) as Record<string, Arbitrary<unknown>>);
}

/** Rounds of these actions, and of direct writes of the documents with these paths. */
function histories(
  actions: readonly Arbitrary<unknown>[],
  paths: readonly string[],
  faults: number,
) {
  const write = fc
    .constantFrom(...paths)
    .chain((path) => fc.record({ write: stored([path], 3), waitMs: fc.nat({ max: 8 }) }));
  const round = {
    actions: fc.array(fc.oneof(write, ...actions), { minLength: 1, maxLength: 4 }),
    faults: fc.array(fault, { maxLength: faults }),
  };
  const first = fc.record({ ...round, stored: stored(paths) });
  const later = fc.record({ ...round, stored: maybe(stored(paths), 1) });
  return fc
    .tuple(first, fc.array(later, { maxLength: 7 }))
    .map(([one, more]) => [one, ...more] as History);
}

/** Histories of all operations on all documents. Up to so many faults strike at once. */
export function anyHistories(faults = 0): Arbitrary<History> {
  return histories([deleting(2), changing(5), removing(5), ...others, ...pages], PATHS, faults);
}

/** Histories in which all change the same booking, the same listings or the same photos, or read the same lists. */
export function aimedHistories(faults = 0): Arbitrary<History> {
  return fc.oneof(
    histories([deleting(1), deleting(1)], ['bookings/~b0'], faults),
    histories([changing(2), changing(2)], ['flash/~f0', 'flash/~f1'], faults),
    histories([removing(2), removing(2)], ['gallery/~g0', 'gallery/~g1'], faults),
    histories(pages.slice(0, 1), pathsOf('flash/~f', 5), faults),
    histories(
      pages.slice(2),
      ['conversations/~c0', ...pathsOf('conversations/~c0/messages/~m', 5)],
      faults,
    ),
  );
}
