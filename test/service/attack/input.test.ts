import { gzipSync, brotliCompressSync } from 'node:zlib';
import { deployedEndpoints } from '../../support/deployMap.ts';
import { exampleRequest } from '../../support/exampleRequests.ts';
import { inProcessService } from '../../support/inProcessService.ts';
import { resists, type Attack } from './attack.ts';
import { ALICE, bodyWith, send, storeTargets } from './world.ts';

const service = inProcessService();
const MIB = 1024 * 1024;
const BOMB = gzipSync(Buffer.alloc(50 * MIB));

beforeAll(() => storeTargets(service));

const withBody = deployedEndpoints
  .filter(({ endpoint }) => endpoint.declaration.body)
  .map(({ functionId }) => functionId);

function bodyOf(functionId: string): string {
  return exampleRequest(functionId, ALICE, '').body ?? '{}';
}

/** A JSON body of a given size, filled with a field that the service ignores. */
function bodyOfSize(functionId: string, bytes: number): string {
  const empty = bodyWith(functionId, { padding: '' });
  return bodyWith(functionId, { padding: 'x'.repeat(bytes - Buffer.byteLength(empty)) });
}

const bodies: Attack[] = withBody.flatMap((functionId) => {
  const good = bodyOf(functionId);
  const cases: [string, string | Buffer, Record<string, string>, number][] = [
    ['no body', '', {}, 400],
    ['half a body', good.slice(0, -1), {}, 400],
    ['two bodies', good + good, {}, 400],
    ['a list', `[${good}]`, {}, 400],
    ['a string', JSON.stringify(good), {}, 400],
    ['null', 'null', {}, 400],
    ['NaN', 'NaN', {}, 400],
    ['a comment', `/* a */${good}`, {}, 400],
    ['a trailing comma', good.replace(/}$/, ',}'), {}, 400],
    ['UTF-16', Buffer.from(good, 'utf16le'), {}, 400],
    [
      'broken UTF-8',
      Buffer.concat([
        Buffer.from(good.slice(0, -1)),
        Buffer.from([0x2c, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
      ]),
      {},
      400,
    ],
    [
      'an overlong encoding',
      Buffer.concat([
        Buffer.from(good.slice(0, -1)),
        Buffer.from([0x2c, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d]),
      ]),
      {},
      400,
    ],
    ['a NUL', `${good}\0`, {}, 400],
    ['one byte more than 1 MiB', bodyOfSize(functionId, MIB + 1), {}, 413],
    ['5 MiB', 'x'.repeat(5 * MIB), {}, 413],
    ['10 000 levels of lists', '['.repeat(10_000) + ']'.repeat(10_000), {}, 400],
    ['300 000 open lists', '['.repeat(300_000), {}, 400],
    ['10 000 levels of objects', '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000), {}, 400],
    ['text/plain', good, { 'Content-Type': 'text/plain' }, 415],
    ['a form', 'a=b', { 'Content-Type': 'application/x-www-form-urlencoded' }, 415],
    ['multipart', '--x\r\n\r\n--x--', { 'Content-Type': 'multipart/form-data; boundary=x' }, 415],
    [
      'XML with an entity',
      '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
      { 'Content-Type': 'application/xml' },
      415,
    ],
    ['no content type', good, { 'Content-Type': '' }, 415],
    ['a JSON dialect', good, { 'Content-Type': 'application/merge-patch+json' }, 415],
    ['another charset', good, { 'Content-Type': 'application/json; charset=utf-16' }, 415],
    ['an unknown charset', good, { 'Content-Type': 'application/json; charset=x-unknown' }, 415],
    ['gzip', gzipSync(good), { 'Content-Encoding': 'gzip' }, 415],
    ['a gzip bomb of 50 MiB', BOMB, { 'Content-Encoding': 'gzip' }, 415],
    ['brotli', brotliCompressSync(good), { 'Content-Encoding': 'br' }, 415],
    ['deflate, gzip', good, { 'Content-Encoding': 'deflate, gzip' }, 415],
    ['an unknown encoding', good, { 'Content-Encoding': 'x-unknown' }, 415],
  ];
  return cases.map(([name, body, headers, status]): Attack => ({
    owasp: 'API4 resource consumption',
    name: `${functionId} with ${name}`,
    send: () => send(service, functionId, { body, headers }),
    status,
  }));
});

/** Where each endpoint takes an id, and how to insert one there. */
const POSITIONS: readonly [string, string, (id: unknown) => object][] = [
  ['availability-updateAvailability', 'artistId', (id) => ({ artistId: id })],
  ['availability-updateAvailability', 'availabilityId', (id) => ({ availabilityId: id })],
  ['bookings-deleteSession', 'bookingId', (id) => ({ bookingId: id })],
  ['flash-markAsAvailable', 'flashIds[1]', (id) => ({ flashIds: ['alices-0', id] })],
  ['flash-markAsUnavailable', 'flashIds[1]', (id) => ({ flashIds: ['alices-0', id] })],
  ['flash-reorder', 'flashUpdates[0].id', (id) => ({ flashUpdates: [{ id, order: 1 }] })],
  ['gallery-removePhotos', 'photoIds[0]', (id) => ({ photoIds: [id, 'alices-0'] })],
  ['unavailableEvents-editUnavailableEvent', 'id', (id) => ({ id })],
];

const ODD_TEXTS = [
  '',
  '.',
  '..',
  'a/b',
  '/',
  'users/artist-bob',
  '../users/artist-bob',
  '__x__',
  '____',
  '__\n__',
  'x'.repeat(1501),
  'é'.repeat(751),
  '\ud800',
  'a\udc00b',
];
const ODD_VALUES: readonly unknown[] = [
  null,
  7,
  0,
  true,
  [],
  ['alices-0'],
  {},
  { $ne: null },
  { toString: 'alices-0' },
  { length: 1 },
];

const ids: Attack[] = [
  ...POSITIONS.flatMap(([functionId, field, put]) =>
    [...ODD_TEXTS, ...ODD_VALUES].map((id): Attack => ({
      owasp: 'API8 misconfiguration',
      name: `${functionId} with ${JSON.stringify(id).slice(0, 24)} for ${field}`,
      send: () => send(service, functionId, { body: bodyWith(functionId, { ...put(id) }) }),
      status: 400,
    })),
  ),
  // Ids that are valid for Firestore, but name no document.
  ...POSITIONS.filter(([, field]) => field !== 'artistId').flatMap(([functionId, field, put]) =>
    [
      '\0',
      '\n',
      ' ',
      'alices-0 ',
      'alices-0\0',
      'ALICES-0',
      'alıces-0',
      'a\u0301',
      '%2e%2e',
      '{{7*7}}',
      "' OR 1=1",
      '*',
      '`',
      '💉',
    ].map((id): Attack => ({
      owasp: 'API8 misconfiguration',
      name: `${functionId} with ${JSON.stringify(id)} for ${field}`,
      send: () => send(service, functionId, { body: bodyWith(functionId, { ...put(id) }) }),
      status: 404,
      isRefusedByData: true,
    })),
  ),
];

const lists = ['flash', 'gallery'] as const;
const BAD_LIMITS = [
  '',
  '0',
  '51',
  '-1',
  '1e1',
  '0x10',
  '+1',
  ' 1',
  '1 ',
  '1.0',
  '１',
  '1_0',
  '00000000001',
  '9007199254740993',
  '9'.repeat(400),
  'null',
  'NaN',
  'Infinity',
  'true',
  '[1]',
  '{"a":1}',
  '1\0',
  '1,2',
  '1;2',
];

const queries: Attack[] = [
  ...lists.flatMap((list) =>
    BAD_LIMITS.map((limit): Attack => ({
      owasp: 'API4 resource consumption',
      name: `${list} with limit “${limit.slice(0, 20)}”`,
      send: () =>
        send(service, `${list}-listByArtist`, {
          path: `/${list}/artist/${ALICE.uid}/paginated?limit=${encodeURIComponent(limit)}`,
        }),
      status: 400,
    })),
  ),
  ...BAD_LIMITS.filter((limit) => limit !== '51').map((limit): Attack => ({
    owasp: 'API4 resource consumption',
    name: `messages with limit “${limit.slice(0, 20)}”`,
    send: () =>
      send(service, 'conversations-getMessages', {
        path: `/conversations/get-messages?conversationId=alices-0&limit=${encodeURIComponent(limit)}`,
      }),
    status: 400,
  })),
  ...[
    'limit=1&limit=2',
    'cursor=alices-0&cursor=alices-1',
    'cursor=',
    'cursor=..',
    'cursor=a%2Fb',
    'cursor=__x__',
    `cursor=${'x'.repeat(1501)}`,
    'limit=%',
    'limit=%ff',
  ].flatMap((query) =>
    lists.map((list): Attack => ({
      owasp: 'API8 misconfiguration',
      name: `${list}?${query.slice(0, 30)}`,
      send: () =>
        send(service, `${list}-listByArtist`, {
          path: `/${list}/artist/${ALICE.uid}/paginated?${query}`,
        }),
      status: 400,
    })),
  ),
  ...[
    'conversationId=',
    'conversationId=a%2Fb',
    'conversationId=alices-0&conversationId=bobs-0',
    'conversationId[]=alices-0',
    'conversationId[$ne]=x',
    'conversationid=alices-0',
    '',
  ].map((query): Attack => ({
    owasp: 'API8 misconfiguration',
    name: `messages?${query}`,
    send: () =>
      send(service, 'conversations-getMessages', { path: `/conversations/get-messages?${query}` }),
    status: 400,
  })),
  ...lists.map((list): Attack => ({
    owasp: 'API8 misconfiguration',
    name: `${list} with a cursor that names no document`,
    send: () =>
      send(service, `${list}-listByArtist`, {
        path: `/${list}/artist/${ALICE.uid}/paginated?cursor=nothing`,
      }),
    status: 400,
    isRefusedByData: true,
  })),
  ...[
    'limit[]=1',
    'limit[a]=1',
    'limit%5B%5D=1',
    '__proto__[x]=1',
    '__proto__=1&constructor=2',
    `a=${'x'.repeat(7000)}`,
    'a&&&==&',
    '?',
  ].map((query): Attack => ({
    owasp: 'API8 misconfiguration',
    name: `an unknown query: ${query.slice(0, 30)}`,
    send: () =>
      send(service, 'flash-listByArtist', {
        path: `/flash/artist/${ALICE.uid}/paginated?${query}`,
      }),
    status: 200,
  })),
];

const values: Attack[] = (
  [
    ['flash-reorder', { flashUpdates: [{ id: 'alices-0', order: -1 }] }],
    ['flash-reorder', { flashUpdates: [{ id: 'alices-0', order: 1.5 }] }],
    ['flash-reorder', { flashUpdates: [{ id: 'alices-0', order: '1' }] }],
    ['flash-reorder', { flashUpdates: [{ id: 'alices-0', order: 2 ** 53 }] }],
    ['flash-reorder', { flashUpdates: [{ id: 'alices-0' }] }],
    ['flash-reorder', { flashUpdates: { 0: { id: 'alices-0', order: 1 }, length: 1 } }],
    [
      'flash-reorder',
      { flashUpdates: Array.from({ length: 501 }, (_, order) => ({ id: `f${order}`, order })) },
    ],
    [
      'flash-reorder',
      { flashUpdates: Array.from({ length: 2 }, () => ({ id: 'alices-0', order: 1 })) },
    ],
    ['flash-markAsAvailable', { flashIds: Array.from({ length: 501 }, () => 'alices-0') }],
    ['gallery-removePhotos', { photoIds: [] }],
    ['gallery-removePhotos', { photoIds: 'alices-0' }],
    ['bookings-deleteSession', { sessionNumber: '1' }],
    ['bookings-deleteSession', { sessionNumber: null }],
    ['bookings-deleteSession', { sessionNumber: { $gt: 0 } }],
    ['unavailableEvents-editUnavailableEvent', { title: '' }],
    ['unavailableEvents-editUnavailableEvent', { title: 'x'.repeat(201) }],
    ['unavailableEvents-editUnavailableEvent', { title: '\ud800' }],
    ['unavailableEvents-editUnavailableEvent', { title: ['a'] }],
    ['unavailableEvents-editUnavailableEvent', { startTime: 2, endTime: 1 }],
    ['unavailableEvents-editUnavailableEvent', { date: 8.64e15 + 1 }],
    [
      'availability-updateAvailability',
      { weeklySlots: { Monday: { ['k'.repeat(1400)]: { __x__: 1 } } } },
    ],
    ['availability-updateAvailability', { weeklySlots: { Funday: [] } }],
    ['availability-updateAvailability', { weeklySlots: { Monday: [[1]] } }],
    ['availability-updateAvailability', { weeklySlots: { Monday: { __x__: 1 } } }],
    ['availability-updateAvailability', { weeklySlots: { Monday: { '': 1 } } }],
    ['availability-updateAvailability', { weeklySlots: { Monday: '\ud800' } }],
    ['availability-updateAvailability', { weeklySlots: [] }],
    ['availability-updateAvailability', { weeklySlots: { Monday: nested(25) } }],
    ['availability-updateAvailability', { weeklySlots: { Monday: nested(500) } }],
    ['availability-updateAvailability', { weeklySlots: { Monday: 'x'.repeat(1_000_001) } }],
    ['availability-updateAvailability', { rollingDays: 0 }],
    ['availability-updateAvailability', { rollingDays: '367' }],
    ['availability-updateAvailability', { dateRangeType: 'Rolling' }],
    ['availability-updateAvailability', { isActive: 'false' }],
  ] as const
).map(([functionId, fields], index) => ({
  owasp: 'API8 misconfiguration',
  name: `${functionId} with ${JSON.stringify(fields).slice(0, 50)} (${index})`,
  send: () => send(service, functionId, { body: bodyWith(functionId, fields) }),
  status: 400,
}));

/** Any number of at most 2^53 - 1 can be a session number; no session has these. */
const numbers: Attack[] = ['1.5', '-0', '5e-324', '9007199254740991'].map((number) => ({
  owasp: 'API8 misconfiguration',
  name: `bookings-deleteSession of session ${number}`,
  send: () => {
    const functionId = 'bookings-deleteSession';
    const body = bodyWith(functionId, { sessionNumber: 'here' }).replace('"here"', number);
    return send(service, functionId, { body });
  },
  status: 404,
  isRefusedByData: true,
}));

function nested(levels: number): unknown {
  return JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
}

const deep: Attack = {
  owasp: 'API4 resource consumption',
  name: 'a week of 100 000 levels',
  send: () => {
    const functionId = 'availability-updateAvailability';
    const levels = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    const body = bodyWith(functionId, { weeklySlots: { Monday: 'here' } }).replace(
      '"here"',
      levels,
    );
    return send(service, functionId, { body });
  },
  status: 400,
};

const order: Attack = {
  owasp: 'API8 misconfiguration',
  name: 'a malformed query and a body of another type, which is checked first',
  send: () =>
    send(service, 'flash-reorder', {
      path: '/flash/reorder?a=%zz',
      headers: { 'Content-Type': 'text/plain' },
    }),
  status: 415,
};

resists(service, [...bodies, ...ids, ...queries, ...values, ...numbers, deep, order]);

describe('API3 property level authorization', () => {
  /** Fields that no request may set: owners, counters of the service, and paths to a prototype. */
  const FOREIGN = {
    artistId: 'artist-bob',
    clientId: 'artist-bob',
    id: undefined,
    isVerified: true,
    isAdmin: true,
    isVisible: false,
    viewCount: 1_000_000,
    createdAt: 1,
    newNotificationsCount: 99,
    sessions: [],
    participantIds: ['artist-bob'],
  };

  const COLLECTIONS: Readonly<Record<string, string>> = {
    'availability-updateAvailability': 'availability',
    'bookings-deleteSession': 'bookings',
    'flash-markAsAvailable': 'flash',
    'flash-markAsUnavailable': 'flash',
    'flash-reorder': 'flash',
    'unavailableEvents-editUnavailableEvent': 'unavailableEvents',
  };
  /** The fields that the endpoints of a collection may change. */
  const CHANGED: Readonly<Record<string, readonly string[]>> = {
    availability: [
      'isActive',
      'weeklySlots',
      'dateRangeType',
      'effectiveFrom',
      'effectiveUntil',
      'rollingDays',
      'updatedAt',
    ],
    bookings: ['sessions'],
    flash: ['isAvailable', 'order', 'updatedAt'],
    unavailableEvents: ['title', 'date', 'startTime', 'endTime'],
  };

  async function stored(collection: string): Promise<Record<string, unknown>> {
    return (await service.store.get(`${collection}/alices-0`)) ?? {};
  }

  function without(data: Record<string, unknown>, names: readonly string[]): object {
    return Object.fromEntries(Object.entries(data).filter(([name]) => !names.includes(name)));
  }

  test.each(Object.entries(COLLECTIONS))(
    '%s stores only the fields it names, and changes no prototype',
    async (functionId, collection) => {
      const before = await stored(collection);
      const own = JSON.parse(bodyOf(functionId)) as Record<string, unknown>;
      const foreign = Object.entries(FOREIGN).filter(([name]) => !(name in own));
      const body = JSON.stringify({ ...own, ...Object.fromEntries(foreign) }).replace(
        /}$/,
        ',"__proto__":{"isAdmin":true,"artistId":"artist-bob"},"constructor":{"prototype":{"isAdmin":true}},"prototype":{"isAdmin":true}}',
      );

      const response = await send(service, functionId, { body });

      const changed = CHANGED[collection] ?? [];
      const after = await stored(collection);
      expect(response.status).toBe(200);
      expect(without(after, changed)).toEqual(without(before, changed));
      expect(
        Object.keys(after).filter((name) => !changed.includes(name) && !(name in before)),
      ).toEqual([]);
      expect(({} as { isAdmin?: unknown }).isAdmin).toBeUndefined();
    },
  );

  test('refuses a __proto__ among the slots', async () => {
    const functionId = 'availability-updateAvailability';
    const body = bodyOf(functionId).replace(
      /"weeklySlots":\{.*?\}\]\}/,
      '"weeklySlots":{"Monday":{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}}',
    );

    const response = await send(service, functionId, { body });

    expect(response.status).toBe(400);
    expect(({} as { isAdmin?: unknown }).isAdmin).toBeUndefined();
  });

  test.each(['flash', 'gallery'])(
    '%s returns only the fields of the specification',
    async (list) => {
      const secrets = { secretNote: 'secret', sourceData: { url: '', accessToken: 'secret' } };
      await service.store.update(`${list}/alices-0`, secrets);

      const response = await send(service, `${list}-listByArtist`);

      expect(response.status).toBe(200);
      expect(response.text).not.toMatch(/secret/i);
    },
  );

  test('the artist list returns no token, no hash, and no other kind of profile', async () => {
    await service.store.set('users/artist-eve', {
      userType: 'artist',
      artistInfo: { isVerified: true, username: 'eve', secret: 'secret' },
      clientInfo: { secret: 'secret' },
      studioInfo: { email: 'secret@example.com' },
      passwordHash: 'secret',
      integrations: {
        social: { userId: '1', accessToken: 'secret' },
        calendar: { refreshToken: 'secret' },
      },
      preferences: { integrations: { paymentProvider: { secretKey: 'secret' } } },
    });

    const response = await send(service, 'artists-list');

    expect(response.status).toBe(200);
    expect(response.text).toContain('"eve"');
    expect(response.text).not.toMatch(/secret|clientInfo|studioInfo|passwordHash/i);
  });
});

test('API7 server side request forgery: a stored address is never fetched', async () => {
  const body = bodyWith('unavailableEvents-editUnavailableEvent', {
    title: 'http://169.254.169.254/latest/meta-data',
  });

  const response = await send(service, 'unavailableEvents-editUnavailableEvent', { body });

  expect(response.status).toBe(200);
});
