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
import type { Call, Documents, Operation } from './contract.ts';
import { isMap, type Data } from './values.ts';

/** In ids, `~` stands for what tells the documents and people of a history from those of others. */
export interface History {
  readonly stored: Documents;
  readonly rounds: readonly Round[];
}

/** What happens at once, and the faults that strike meanwhile. */
export interface Round {
  readonly actions: readonly Action[];
  readonly faults?: readonly Fault[];
}

/** A fault of calls to Firestore. */
export type Fault = Omit<WireFault, 'host' | 'about'>;

/** A call of the service, or a write of a document behind its back. */
export type Action = PlannedCall | { readonly write: string; readonly data?: Data };

export interface PlannedCall {
  readonly call: Call;
  /** Whether it continues the page of the list that was read last. */
  readonly continues?: boolean;
  /** Whether it sends the entity tag of the last response to the same request. */
  readonly isConditional?: boolean;
}

const NOW = Date.UTC(2026, 5, 1);
const TIMESTAMP = { timestampValue: '2026-06-01T00:00:00.123456Z' };
const HUGE = { integerValue: '9007199254740993' };
const SPOT = { geoPointValue: { latitude: 48.2, longitude: -16.4 } };

/** One of the usual values, and one time in twenty another. */
function mostly(usual: readonly unknown[], unusual: readonly unknown[]): Arbitrary<unknown> {
  return usually(fc.constantFrom(...usual), unusual);
}

function usually(usual: Arbitrary<unknown>, unusual: readonly unknown[]): Arbitrary<unknown> {
  return fc.oneof({ weight: 19, arbitrary: usual }, fc.constantFrom(...unusual));
}

/** Stored values that are of a wrong kind somewhere; undefined is none. */
const ODD = [
  ...[undefined, null, true, 'x', 7, 1.5, [], {}, ['x', 7, null], [{ url: 7 }]],
  ...[TIMESTAMP, HUGE, SPOT, { doubleValue: 3 }, { doubleValue: 'NaN' }],
];

/** Those of them that Firestore sorts by themselves, and not by what is in them. */
const SORTED = ODD.filter(
  (value) =>
    typeof value !== 'object' ||
    value === null ||
    'timestampValue' in value ||
    'doubleValue' in value,
);

/** What is invalid somewhere in a request; undefined is none. A text after `#` is sent as it is. */
const BAD = [
  ...[undefined, null, true, 0, -1, 0.5, 367, 2 ** 53, '#1e999', '30', '', 'x', '~bob'],
  ...['a/b', '..', '__x__', '\ud800', 'x'.repeat(1501), [], {}, [[1]], { __a__: 1 }],
];

/** Alice owns most, Bob some. Carol is a client, and Dave has no profile. */
const owner = fc.constantFrom('~alice', '~alice', '~alice', '~alice', '~bob');
const caller = mostly(['~alice', '~alice', '~alice', '~bob'], ['~carol', '~dave', undefined]);
const time = fc.integer({ min: NOW, max: NOW + 3 });
const isVisible = fc.constantFrom(true, true, true, true, false, 'true', undefined);
const order = mostly([0, 1, 2, 3], SORTED);
const updatedAt = mostly([NOW], [undefined, 'x', 4e12, TIMESTAMP]);
const sessions = fc.array(
  mostly([1, 1, 2, 2, 3].map(storedSession), [
    { sessionNumber: { doubleValue: 2 }, TIMESTAMP, SPOT },
    { HUGE },
    { sessionNumber: '2' },
    null,
  ]),
  { maxLength: 5 },
);
const participantIds = mostly([['~alice', '~carol']], [['~bob'], 'x', undefined]);
const user = {
  ...storedArtist(),
  newNotificationsCount: 7,
  clientInfo: { preferredStyles: ['x'] },
};
const { artistInfo } = user;
const verified = fc
  .tuple(some(artistInfo), mostly([true], [false, 'true']))
  .map(([info, isVerified]) => ({ ...info, isVerified }));

/** The documents of a history by path. */
const documents: Readonly<Record<string, Arbitrary<unknown>>> = {
  ...numbered('flash/~f', 5, storedListing(), { artistId: owner, order, isVisible, updatedAt }),
  ...numbered('gallery/~g', 5, storedPhoto(), { artistId: owner, order, isVisible }),
  ...numbered('bookings/~b', 2, storedBooking(), { artistId: owner, sessions }),
  ...numbered('unavailableEvents/~e', 2, storedEvent(), { artistId: owner }),
  ...numbered('availability/~a', 2, storedAvailability(), { artistId: owner, updatedAt }),
  ...numbered('conversations/~c', 2, {}, { participantIds }),
  ...numbered('conversations/~c0/messages/~m', 5, storedMessage(), {
    timestamp: mostly([NOW, NOW + 1], SORTED),
  }),
  ...Object.fromEntries(
    ['alice', 'bob', 'carol'].map((name) => [
      `users/~${name}`,
      fc
        .tuple(
          some(user),
          fc.record({ userType: mostly(['artist'], ['client']), artistInfo: verified }),
        )
        .map(merged),
    ]),
  ),
};

/** The paths of all documents that may be stored. */
export const PATHS = Object.keys(documents);

function numbered(
  start: string,
  size: number,
  whole: Data,
  fields: Record<string, Arbitrary<unknown>>,
) {
  const data = fc.tuple(some({ ...whole, secret: 'x' }), fc.record(fields)).map(merged);
  return Object.fromEntries(numbers(size).map((number) => [`${start}${number}`, data]));
}

function numbers(size: number): number[] {
  return Array.from({ length: size }, (_, number) => number);
}

function merged(parts: readonly Data[]): Data {
  return Object.assign({}, ...parts) as Data;
}

/** Some members of a map, at every level, and sometimes another value instead. */
function some(whole: Data): Arbitrary<Data> {
  const members = Object.entries(whole).map(([name, value]) => [
    name,
    usually(isMap(value) ? some(value) : fc.constant(value), ODD),
  ]);
  return fc.record(Object.fromEntries(members) as Record<string, Arbitrary<unknown>>, {
    requiredKeys: [],
  });
}

/** The id of a document of a kind, or of none. */
function id(start: string, size: number): Arbitrary<unknown> {
  return mostly(
    numbers(size).map((number) => `~${start}${number}`),
    [`~${start}9`, 'x', ...BAD],
  );
}

function ids(start: string, size: number): Arbitrary<unknown> {
  return usually(fc.array(id(start, size), { minLength: 1, maxLength: 3 }), BAD);
}

/** Calls with these fields in the body. */
function sending(
  operation: Operation,
  fields: Record<string, Arbitrary<unknown>>,
): Arbitrary<unknown> {
  const sent = usually(fc.record(fields), ['#', '#{', null, [], 'x']);
  // No field at all and a field that is undefined are the same in JSON.
  const body = sent.map((value) => JSON.stringify(value).replace(/"#(.*?)"/g, '$1'));
  return fc.record({ call: fc.record({ operation: fc.constant(operation), caller, body }) });
}

function inQuery(value: unknown): string {
  return String(value).toWellFormed();
}

/** Reads of pages of a list, some of which continue another. */
function paging(operation: Operation, list: Data, start: string): Arbitrary<unknown> {
  const limit = mostly(
    [undefined, '1', '2', '3'],
    ['50', '51', '101', '', 'x', '1.5', '-1', ['1', '2']],
  );
  const cursor = fc.oneof(fc.constant(undefined), id(start, 5).map(inQuery));
  const { artistId = fc.constant(undefined), ...query } = list as Record<
    string,
    Arbitrary<unknown>
  >;
  return fc.record({
    call: fc.record({
      ...{ operation: fc.constant(operation), caller, artistId },
      query: fc.record({ ...query, limit, cursor }),
    }),
    continues: fc.boolean(),
    isConditional: fc.boolean(),
  });
}

const isAvailable = mostly([true, false], BAD);
const moment = usually(time, BAD);
const placement = fc.record({ id: id('f', 5), order: mostly([0, 1, 2, 3], ['#-0', ...BAD]) });
const deletion = sending('bookings-deleteSession', {
  ...{ bookingId: id('b', 2), sessionNumber: mostly([1, 1, 2, 2, 3, 1.5], ['#-0', ...BAD]) },
});
const changes = [
  sending('flash-reorder', {
    flashUpdates: usually(fc.array(placement, { minLength: 1, maxLength: 3 }), BAD),
  }),
  sending('flash-markAsAvailable', { flashIds: ids('f', 5) }),
  sending('flash-markAsUnavailable', { flashIds: ids('f', 5) }),
  sending('gallery-removePhotos', { photoIds: ids('g', 5) }),
];
const artistId = mostly(['~alice', '~alice', '~bob'], ['~nobody', '__x__', 'a/b']);
const others = [
  sending('notifications-resetNewNotifications', {}),
  sending('availability-updateAvailability', {
    ...{
      artistId: mostly(['~alice', '~alice', '~bob'], BAD),
      availabilityId: id('a', 2),
      isActive: isAvailable,
    },
    weeklySlots: mostly(
      [{ Monday: [] }, { Sunday: [{ a: 1.5, b: null }], Friday: 'x' }],
      [{ Monday: [[1]] }, { monday: 1 }, ...BAD],
    ),
    dateRangeType: mostly(['indefinitely', 'specific', 'rolling'], BAD),
    rollingDays: mostly([30, '30', undefined], BAD),
    ...{ effectiveFrom: moment, effectiveUntil: moment, createdAt: moment, updatedAt: moment },
  }),
  sending('unavailableEvents-editUnavailableEvent', {
    ...{
      id: id('e', 2),
      title: mostly(['Dentist', 'Holiday', '🖋'.repeat(200)], ['🖋'.repeat(201), ...BAD]),
    },
    ...{
      date: moment,
      startTime: moment,
      endTime: usually(
        time.map((start) => start + 2),
        BAD,
      ),
    },
  }),
  fc.record({
    call: fc.record({
      ...{ operation: fc.constant('gallery-removePhotos'), caller },
      query: fc.record({ photoIds: fc.constantFrom('~g0', ['~g1', '~g2'], undefined) }),
    }),
  }),
  fc.record({ call: fc.record({ operation: fc.constant('artists-list'), caller }) }),
  paging('flash-listByArtist', { artistId }, 'f'),
  paging('gallery-listByArtist', { artistId }, 'g'),
  paging('conversations-getMessages', { conversationId: id('c', 2).map(inQuery) }, 'm'),
];

/** Faults before and after Firestore has executed a call. */
const fault = fc
  .record({
    call: fc.constantFrom(
      'commit',
      'commit',
      'commit',
      'batchGet',
      'runQuery',
      'runAggregationQuery',
    ),
    what: fc.constantFrom<Pick<Fault, 'kind' | 'status'>>(
      ...(['reset', 'html', 'empty', 'hang', 'delayed', 'delayed'] as const).map((kind) => ({
        kind,
      })),
      ...(['reset after effect', 'reset within body', 'hang after effect'] as const).map(
        (kind) => ({ kind }),
      ),
      ...(['hang within body', 'cut', 'cut in chunks', 'error at the end'] as const).map(
        (kind) => ({ kind }),
      ),
      ...[409, 429, 500, 503, 504].map((status) => ({ kind: 'status' as const, status })),
      ...[500, 503, 504].map((status) => ({ kind: 'status after effect' as const, status })),
    ),
    times: fc.constantFrom(1, 1, 2, 9),
  })
  .map(({ what, ...rest }): Fault => ({ ...rest, ...what }));

/** Histories of these actions and of direct writes, on documents with these paths. */
function histories(paths: readonly string[], actions: readonly Arbitrary<unknown>[]) {
  const data = (path: string) => documents[path] ?? fc.constant({});
  const write = fc.constantFrom(...paths).chain((path) =>
    fc.record({
      write: fc.constant(path),
      data: fc.option(data(path), { freq: 3, nil: undefined }),
    }),
  );
  const stored = paths.map((path) => [path, fc.option(data(path), { freq: 20, nil: undefined })]);
  return (mostFaults = 0): Arbitrary<History> => {
    const round = fc.record({
      actions: fc.array(fc.oneof(write, ...actions), { minLength: 1, maxLength: 4 }),
      faults: fc.array(fault, { maxLength: mostFaults }),
    });
    return fc.record({
      stored: fc.record(Object.fromEntries(stored) as Record<string, Arbitrary<unknown>>),
      rounds: fc.array(round, { minLength: 1, maxLength: 8 }),
    }) as Arbitrary<History>;
  };
}

/** Histories of all operations on all documents. */
export const anyHistories = histories(PATHS, [deletion, ...changes, ...others]);

/** Histories of changes of one booking, and of one set of listings and photos. */
export const aimedHistories = histories(
  ['bookings/~b0', 'flash/~f0', 'flash/~f1', 'gallery/~g0', 'gallery/~g1'],
  [deletion, ...changes],
);
