/**
 * The limit: a bare handler that makes the service's calls over `node:https` and copies Firestore's JSON unchanged. It
 * validates nothing, decodes only what the next call needs, and leaves the framework's domain. Only fewer calls would
 * be cheaper.
 */
import type { HttpFunction, Request } from '@google-cloud/functions-framework';
import { call, nameOf } from './restCalls.ts';
import { compressed, isCompressed } from './json.ts';

const FIELDS = (process.env.BENCH_FIELDS ?? '').split(',').map((fieldPath) => ({ fieldPath }));
const UID = 'artist-alice';
const PART = 250;

type Done = (...parts: (Buffer | string)[]) => void;
type Work = (request: Request, done: Done) => void;

interface Found {
  readonly found: {
    readonly name: string;
    readonly updateTime: string;
    readonly fields: Readonly<Record<string, Value>>;
  };
}

/** The part of a value that is used. */
interface Value {
  readonly integerValue?: string;
  readonly mapValue?: { readonly fields: Readonly<Record<string, Value>> };
  readonly arrayValue?: { readonly values: readonly Value[] };
}

function equal(fieldPath: string, value: object): object {
  return { fieldFilter: { field: { fieldPath }, op: 'EQUAL', value } };
}

function ordered(direction: 'ASCENDING' | 'DESCENDING', ...fieldPaths: string[]): object[] {
  return fieldPaths.map((fieldPath) => ({ field: { fieldPath }, direction }));
}

function page(collectionId: string): Work {
  return ({ query }, done) => {
    const list = {
      from: [{ collectionId }],
      where: {
        compositeFilter: {
          op: 'AND',
          filters: [
            equal('artistId', { stringValue: UID }),
            equal('isVisible', { booleanValue: true }),
          ],
        },
      },
      orderBy: ordered('ASCENDING', 'order', '__name__'),
    };
    const limit = Number(query.limit ?? 20);
    const read = (position: object) => {
      const parts: Buffer[] = [];
      const arrived = (index: number) => (answer: Buffer) => {
        parts[index] = answer;
        const [found, total] = parts;
        if (found && total) done('{"documents":', found, ',"total":', total, '}');
      };
      const structuredQuery = { select: { fields: FIELDS }, ...list, ...position };
      call('runQuery', '', { structuredQuery }, arrived(0));
      const structuredAggregationQuery = {
        structuredQuery: list,
        aggregations: [{ alias: 'count', count: {} }],
      };
      call('runAggregationQuery', '', { structuredAggregationQuery }, arrived(1));
    };
    if (query.cursor === undefined) {
      read({ limit });
      return;
    }
    const cursor = nameOf(`${collectionId}/${query.cursor as string}`);
    get([cursor], ['artistId', 'isVisible', 'order'], ([document]) => {
      const values = [document?.found.fields.order, { referenceValue: cursor }];
      read({ startAt: { values, before: false }, limit: limit + 1 });
    });
  };
}

function get(names: readonly string[], mask: readonly string[], done: (all: Found[]) => void) {
  const request = { documents: names, mask: { fieldPaths: mask } };
  call('batchGet', '', request, (answer) => {
    done(JSON.parse(answer.toString()) as Found[]);
  });
}

/** Reads documents and commits changes on condition that they have not changed since. */
function change(
  collection: string,
  ids: readonly string[],
  mask: readonly string[],
  writeOf: (found: Found['found']) => object,
  done: Done,
): void {
  const names = ids.map((id) => nameOf(`${collection}/${id}`));
  get(names, mask, (all) => {
    const writes = all.map(({ found }) => ({
      ...writeOf(found),
      currentDocument: { updateTime: found.updateTime },
    }));
    call('commit', '', { writes }, done);
  });
}

function update(name: string, fields: object, mask = Object.keys(fields)): object {
  return { update: { name, fields }, updateMask: { fieldPaths: mask } };
}

function now(): object {
  return { integerValue: String(Date.now()) };
}

const WORK: Readonly<Record<string, Work>> = {
  'artists-list': (_request, done) => {
    const parts: (Buffer | string)[] = [];
    const read = (position: object) => {
      const structuredQuery = {
        select: { fields: FIELDS },
        from: [{ collectionId: 'users' }],
        where: {
          compositeFilter: {
            op: 'AND',
            filters: [
              equal('userType', { stringValue: 'artist' }),
              equal('artistInfo.isVerified', { booleanValue: true }),
            ],
          },
        },
        orderBy: ordered('ASCENDING', '__name__'),
        ...position,
        limit: PART,
      };
      call('runQuery', '', { structuredQuery }, (answer) => {
        const found = JSON.parse(answer.toString()) as { document?: { name: string } }[];
        parts.push(parts.length === 0 ? '[' : ',', answer);
        const last = found.length === PART ? found.at(-1)?.document : undefined;
        if (last === undefined) done(...parts, ']');
        else read({ startAt: { values: [{ referenceValue: last.name }], before: false } });
      });
    };
    read({});
  },
  'flash-listByArtist': page('flash'),
  'gallery-listByArtist': page('gallery'),
  'conversations-getMessages': ({ query }, done) => {
    const path = `conversations/${query.conversationId as string}`;
    const limit = Number(query.limit ?? 50) + 1;
    get([nameOf(path)], ['participantIds', 'timestamp'], () => {
      const structuredQuery = {
        select: { fields: FIELDS },
        from: [{ collectionId: 'messages' }],
        orderBy: ordered('DESCENDING', 'timestamp', '__name__'),
        limit,
      };
      call('runQuery', `/${path}`, { structuredQuery }, done);
    });
  },
  'availability-updateAvailability': (request, done) => {
    const body = request.body as { availabilityId: string; effectiveFrom: number };
    // The week of the example; deriving it from the request would cost more.
    const slot = { startTime: { stringValue: '10:00' }, endTime: { stringValue: '16:00' } };
    const fields = {
      isActive: { booleanValue: true },
      weeklySlots: {
        mapValue: {
          fields: { Tuesday: { arrayValue: { values: [{ mapValue: { fields: slot } }] } } },
        },
      },
      dateRangeType: { stringValue: 'rolling' },
      effectiveFrom: { integerValue: String(body.effectiveFrom) },
      rollingDays: { integerValue: '30' },
      updatedAt: now(),
    };
    const mask = [...Object.keys(fields), 'effectiveUntil'];
    const writeOf = ({ name }: Found['found']) => update(name, fields, mask);
    change('availability', [body.availabilityId], ['artistId'], writeOf, done);
  },
  'bookings-deleteSession': (request, done) => {
    const body = request.body as { bookingId: string; sessionNumber: number };
    const gone = String(body.sessionNumber);
    const writeOf = ({ name, fields }: Found['found']) => {
      const values = fields.sessions?.arrayValue?.values.filter(
        ({ mapValue }) => mapValue?.fields.sessionNumber?.integerValue !== gone,
      );
      return update(name, { sessions: { arrayValue: { values } } });
    };
    change('bookings', [body.bookingId], ['artistId', 'sessions'], writeOf, done);
  },
  'flash-markAsAvailable': (request, done) => {
    const { flashIds } = request.body as { flashIds: string[] };
    const fields = { isAvailable: { booleanValue: true }, updatedAt: now() };
    change('flash', flashIds, ['artistId'], ({ name }) => update(name, fields), done);
  },
  'flash-reorder': (request, done) => {
    const { flashUpdates } = request.body as { flashUpdates: { id: string; order: number }[] };
    const orders = new Map(
      flashUpdates.map(({ id, order }) => [nameOf(`flash/${id}`), { integerValue: String(order) }]),
    );
    const updatedAt = now();
    const ids = flashUpdates.map(({ id }) => id);
    const writeOf = ({ name }: Found['found']) =>
      update(name, { order: orders.get(name), updatedAt });
    change('flash', ids, ['artistId'], writeOf, done);
  },
  'gallery-removePhotos': (request, done) => {
    const { photoIds } = request.body as { photoIds: string[] };
    change('gallery', photoIds, ['artistId'], ({ name }) => ({ delete: name }), done);
  },
  'notifications-resetNewNotifications': (_request, done) => {
    const fields = { newNotificationsCount: { integerValue: '0' } };
    const writeOf = ({ name }: Found['found']) => update(name, fields);
    change('users', [UID], ['newNotificationsCount'], writeOf, done);
  },
  'unavailableEvents-editUnavailableEvent': (request, done) => {
    const body = request.body as Record<'date' | 'startTime' | 'endTime', number> &
      Record<string, string>;
    const fields = {
      title: { stringValue: body.title },
      date: { integerValue: String(body.date) },
      startTime: { integerValue: String(body.startTime) },
      endTime: { integerValue: String(body.endTime) },
    };
    const writeOf = ({ name }: Found['found']) => update(name, fields);
    change('unavailableEvents', [body.id ?? ''], ['artistId'], writeOf, done);
  },
};

const work = WORK[process.env.BENCH_FUNCTION ?? ''];

/** A function that makes the calls of the endpoint and sends what `convert` makes of Firestore's JSON. */
export function handler(convert: (json: Buffer) => Buffer): HttpFunction {
  return (request, response) => {
    const { domain } = process as { readonly domain?: { exit(): void } | null };
    domain?.exit();
    const send = (bytes: Buffer, encoding: object) => {
      const length = String(bytes.length);
      response.writeHead(200, {
        'Content-Type': 'application/json',
        'Content-Length': length,
        ...encoding,
      });
      response.end(bytes);
    };
    work?.(request, (...parts) => {
      const bytes = convert(Buffer.concat(parts.map((part) => Buffer.from(part))));
      if (!isCompressed(request, bytes.length)) send(bytes, {});
      else {
        compressed(bytes, (small) => {
          send(small, { 'Content-Encoding': 'gzip' });
        });
      }
    });
  };
}

export const baseline = handler((json) => json);
