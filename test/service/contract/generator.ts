/** Random histories: what is stored at first, and what a few people then call, up to four at once. */
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
import type { Call, Documents } from './contract.ts';
import type { Data } from './values.ts';

/** In all ids, `~` stands for what tells the documents and people of a history from those of others. */
export interface History {
  readonly stored: Documents;
  readonly rounds: readonly Round[];
}

/** What happens at once, and the faults that strike meanwhile. */
export interface Round {
  readonly actions: readonly Action[];
  readonly faults?: readonly Fault[];
}

export type Fault = Pick<WireFault, 'call' | 'kind' | 'status'>;

/** A call of the service, or a write of a document behind its back. */
export type Action =
  | {
      readonly call: Call;
      /** Whether it continues the page of the list that was read last. */
      readonly continues?: boolean;
      /** Whether it sends the entity tag of the last response to the same request. */
      readonly isConditional?: boolean;
    }
  | { readonly write: string; readonly data?: Data };

const NOW = Date.UTC(2026, 5, 1);
const TIMESTAMP = { timestampValue: '2026-06-01T00:00:00.123456Z' };
const HUGE = { integerValue: '9007199254740993' };
const PLACE = { geoPointValue: { latitude: 48.2, longitude: -16.4 } };

/** Mostly one of the first values. */
function mostly<Value>(usual: readonly Value[], rare: readonly Value[]): Arbitrary<Value> {
  const [often, seldom] = [fc.constantFrom(...usual), fc.constantFrom(...rare)];
  return fc.oneof({ weight: 5, arbitrary: often }, { weight: 1, arbitrary: seldom });
}

/** Stored values that have the wrong kind somewhere; undefined is none at all. */
const ODD = [
  ...[undefined, null, true, 'x', 7, 1.5, [], {}, ['x', 7, null], [{ url: 7 }]],
  ...[TIMESTAMP, HUGE, { doubleValue: 3 }, { doubleValue: 'NaN' }],
];

/** What is invalid somewhere in a request. `#` starts what is not written as JSON writes it. */
const BAD = [
  ...[undefined, null, true, 0, -1, 0.5, 367, 2 ** 53, '#-0', '#1e999', '30', '', 'x', '~bob'],
  ...['a/b', '..', '__x__', '\ud800', 'x'.repeat(1501), [], {}, [[1]], { __a__: 1 }],
];

/** Alice owns most, and Bob some. Carol is a client, and Dave has no profile. */
const owner = mostly(['~alice'], ['~bob']);
const caller = mostly(['~alice', '~alice', '~alice', '~bob'], ['~carol', '~dave', undefined]);
const time = fc.integer({ min: NOW, max: NOW + 3 });
const order = mostly<unknown>([0, 1, 2, 3], ODD);
const updatedAt = mostly<unknown>([NOW], [undefined, 'x', 4e12, TIMESTAMP]);
const isVisible = mostly<unknown>([true], [false, 'true', undefined]);
const sessions = fc.array(
  mostly<unknown>([1, 1, 2, 2, 3].map(storedSession), [
    { sessionNumber: { doubleValue: 2 }, TIMESTAMP, PLACE },
    { HUGE },
    { sessionNumber: '2' },
    null,
  ]),
  { maxLength: 5 },
);

/** The documents of a history, by path. */
const documents: Readonly<Record<string, Arbitrary<Data>>> = {
  ...numbered('flash/~f', 5, storedListing, { artistId: owner, order, isVisible, updatedAt }),
  ...numbered('gallery/~g', 5, storedPhoto, { artistId: owner, order, isVisible }),
  ...numbered('bookings/~b', 2, storedBooking, { artistId: owner, sessions }),
  ...numbered('unavailableEvents/~e', 2, storedEvent, { artistId: owner }),
  ...numbered('availability/~a', 2, storedAvailability, { artistId: owner, updatedAt }),
  ...numbered('conversations/~c', 2, (fields) => fields, {
    participantIds: mostly<unknown>([['~alice', '~carol']], [['~bob'], 'x', undefined]),
  }),
  ...numbered('conversations/~c0/messages/~m', 5, storedMessage, {
    timestamp: mostly<unknown>([NOW, NOW + 1, NOW + 2], ODD),
  }),
  ...numbered('conversations/~c1/messages/~m', 1, storedMessage, {}),
  ...Object.fromEntries(
    ['alice', 'bob', 'carol'].map((name) => [
      `users/~${name}`,
      changed(storedArtist({ clientInfo: {}, newNotificationsCount: 7 }), ODD),
    ]),
  ),
};

function numbered(
  start: string,
  size: number,
  complete: (fields: Data) => Data,
  fields: Readonly<Record<string, Arbitrary<unknown>>>,
): Record<string, Arbitrary<Data>> {
  const data = fc.record(fields).chain((some) => changed({ ...complete(some), secret: 'x' }, ODD));
  return Object.fromEntries(numbers(size).map((number) => [`${start}${number}`, data]));
}

function numbers(size: number): number[] {
  return Array.from({ length: size }, (_, number) => number);
}

/** An object of which up to two values, at any level, are replaced. */
function changed(whole: Data, values: readonly unknown[]): Arbitrary<Data> {
  const change = fc.tuple(fc.constantFrom(...pathsIn(whole)), fc.constantFrom(...values));
  return fc.array(change, { maxLength: 2 }).map((changes) => {
    const copy = structuredClone(whole);
    for (const [path, value] of changes) {
      const parent = path.slice(0, -1).reduce<unknown>((at, key) => (at as Data | null)?.[key], copy);
      if (typeof parent === 'object') Object.assign(parent ?? {}, { [path.at(-1) ?? '']: value });
    }
    return copy;
  });
}

function pathsIn(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    [name],
    ...pathsIn(member).map((path) => [name, ...path]),
  ]);
}

/** The id of a stored document of a kind, or of none. */
function id(start: string, size: number): Arbitrary<string> {
  return mostly(
    numbers(size).map((number) => `~${start}${number}`),
    [`~${start}9`],
  );
}

/** A call with a body, which is often invalid. */
function sending(operation: string, body: Arbitrary<Data>): Arbitrary<unknown> {
  const text = fc
    .oneof(
      { weight: 6, arbitrary: body },
      { weight: 1, arbitrary: body.chain((valid) => changed(valid, BAD)) },
      { weight: 1, arbitrary: fc.constantFrom('#', '#{', null, [], 'x') },
    )
    .map((sent) => JSON.stringify(sent).replace(/"#(.*?)"/g, '$1'));
  return fc.record({ call: fc.record({ operation: fc.constant(operation), caller, body: text }) });
}

/** A read of a page, half of which continue another. */
function paging(
  operation: string,
  more: object,
  list: Record<string, Arbitrary<string>>,
  start: string,
) {
  const limit = mostly<unknown>(
    ['1', '2', '3'],
    ['50', '51', '101', '', 'x', '1.5', '-1', ['1', '2']],
  );
  const cursor = mostly(
    [...numbers(5), 9].map((number) => `~${start}${number}`),
    ['', 'a/b', '__x__'],
  );
  return fc.record({
    call: fc.record({
      ...{ operation: fc.constant(operation), caller, ...more },
      query: fc.tuple(fc.record(list), fc.record({ limit, cursor }, { requiredKeys: [] })).map(([fixed, page]) => ({ ...fixed, ...page })),
    }),
    continues: fc.boolean(),
    isConditional: fc.boolean(),
  });
}

const ids = (start: string, size: number) =>
  fc.array(id(start, size), { minLength: 1, maxLength: 3 });
const placement = fc.record({ id: id('f', 5), order: fc.nat({ max: 3 }) });

const reset = sending('notifications-resetNewNotifications', fc.constant({}));
const update = sending(
  'availability-updateAvailability',
  fc.record({
    ...{ artistId: caller, availabilityId: id('a', 2), isActive: fc.boolean() },
    weeklySlots: fc.constantFrom({ Monday: [] }, { Sunday: [{ a: 1.5, b: null }], Friday: 'no' }),
    dateRangeType: fc.constantFrom('indefinitely', 'specific', 'rolling'),
    rollingDays: fc.constantFrom(30, '30', undefined, 'x'),
    ...{ effectiveFrom: time, effectiveUntil: time, createdAt: time, updatedAt: time },
  }),
);
const edit = sending(
  'unavailableEvents-editUnavailableEvent',
  fc.record({
    ...{ id: id('e', 2), title: fc.constantFrom('Dentist', 'Holiday', '🖋'.repeat(200)) },
    ...{ date: time, startTime: time, endTime: time.map((start) => start + 2) },
  }),
);
const deletion = sending(
  'bookings-deleteSession',
  fc.record({ bookingId: id('b', 2), sessionNumber: mostly([1, 2, 3], [1.5, 9]) }),
);
const reorder = sending(
  'flash-reorder',
  fc.record({ flashUpdates: fc.array(placement, { minLength: 1, maxLength: 3 }) }),
);
const mark = fc
  .constantFrom('flash-markAsAvailable', 'flash-markAsUnavailable')
  .chain((operation) => sending(operation, fc.record({ flashIds: ids('f', 5) })));
const remove = sending('gallery-removePhotos', fc.record({ photoIds: ids('g', 5) }));
const removeByQuery = fc.record({
  call: fc.record({
    ...{ operation: fc.constant('gallery-removePhotos'), caller },
    query: fc.record({ photoIds: fc.oneof(id('g', 5), ids('g', 5)) }, { requiredKeys: [] }),
  }),
});
const artistId = mostly(['~alice'], ['~bob', '~nobody', '__x__']);
const reads = [
  fc.constant({ call: { operation: 'artists-list' } }),
  paging('flash-listByArtist', { artistId }, {}, 'f'),
  paging('gallery-listByArtist', { artistId }, {}, 'g'),
  paging('conversations-getMessages', {}, { conversationId: id('c', 2) }, 'm'),
];

/** Writes of these documents: anew, changed, given to somebody else, or deleted. */
function writing(paths: readonly string[]): Arbitrary<unknown> {
  return fc
    .constantFrom(...paths)
    .chain((write) =>
      fc.record(
        { write: fc.constant(write), data: documents[write] ?? fc.constant({}) },
        { requiredKeys: ['write'] },
      ),
    );
}

/** Histories of all operations on all documents. */
export const anyHistories = histories(Object.keys(documents), [
  reset,
  update,
  edit,
  deletion,
  reorder,
  mark,
  remove,
  removeByQuery,
  ...reads,
  writing(Object.keys(documents)),
]);

const AIMED_AT = [
  'bookings/~b0',
  'flash/~f0',
  'flash/~f1',
  'flash/~f2',
  'gallery/~g0',
  'gallery/~g1',
];

/** Histories of what changes one booking and one set of listings and photos. */
export const aimedHistories = histories(AIMED_AT, [
  deletion,
  reorder,
  mark,
  remove,
  writing(AIMED_AT),
]);

function histories(
  paths: readonly string[],
  actions: readonly Arbitrary<unknown>[],
): Arbitrary<History> {
  const stored = Object.fromEntries(
    paths.map((path) => [path, documents[path] ?? fc.constant({})]),
  );
  const round = fc.record({
    actions: fc.array(fc.oneof(...actions), { minLength: 1, maxLength: 4 }),
  });
  return fc.record({
    stored: fc.record(stored),
    rounds: fc.array(round, { minLength: 1, maxLength: 6 }),
  }) as Arbitrary<History>;
}
