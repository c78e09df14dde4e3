/**
 * API1, 2, 3 and 5 of the OWASP API Security Top 10 (2023): authorization by document and by field, and authentication.
 * All endpoints are taken from the deploy map; test/service/contract has who may call which with which documents.
 */
import { unsignedToken, idTokenClaims } from '../../emulator/google/idTokens.ts';
import { deployedEndpoints } from '../../support/deployMap.ts';
import { exampleRequest } from '../../support/exampleRequests.ts';
import { inProcessService } from '../../support/inProcessService.ts';
import { resists, type Attack } from './attack.ts';
import { ALICE, BOB, bodyWith, OTHERS, send, storeTargets } from './world.ts';

const service = inProcessService();

beforeAll(() => storeTargets(service));

const CLAIMED = ['artistId', 'ownerId', 'uid', 'userId', 'clientId', 'participantIds'];
const HEADERS = ['X-User-Id', 'X-Forwarded-User', 'X-Original-User', 'X-Firebase-Uid', 'From'];

/** False claims of ownership in the body, the query and the headers, at every endpoint that refuses other callers. */
const claims = deployedEndpoints
  .filter(({ endpoint }) => endpoint.declaration.errors['permission-denied'] !== undefined)
  .flatMap(({ functionId, endpoint: { declaration } }): Attack[] => {
    const { path } = exampleRequest(functionId, ALICE, '');
    const query = CLAIMED.map((field) => `${field}=${BOB.uid}`).join('&');
    const claiming = Object.fromEntries(CLAIMED.map((field) => [field, BOB.uid]));
    const headers = Object.fromEntries(HEADERS.map((name) => [name, BOB.uid]));
    const changes = {
      'a body': declaration.body && { body: bodyWith(functionId, claiming) },
      'a query': { path: `${path}${path.includes('?') ? '&' : '?'}${query}` },
      headers: { headers },
    };
    return Object.entries(changes).flatMap(([what, change]): Attack[] =>
      change === undefined
        ? []
        : [
            [
              `${functionId} by Bob, with ${what} that claim Alice’s documents`,
              403,
              () => send(service, functionId, change, BOB.uid),
            ],
          ],
    );
  });

resists(service, claims, { isRefusedByData: true });

/** What is no token, or not where it belongs; test/service/refusals has tokens with wrong claims. */
const tokens: Record<string, (good: string) => Record<string, string>> = {
  'an unsigned token': () => ({
    Authorization: `Bearer ${unsignedToken(idTokenClaims('demo-in-process', ALICE.uid))}`,
  }),
  'a token in lower case': (good) => ({ Authorization: `Bearer ${good.toLowerCase()}` }),
  'half a token': (good) => ({ Authorization: `Bearer ${good.slice(0, -20)}` }),
  'another signature': (good) => ({ Authorization: `Bearer ${good.replace(/[^.]*$/, 'c2ln')}` }),
  'a token of 8 kB': () => ({ Authorization: `Bearer ${'a'.repeat(8000)}.b.c` }),
  'two tokens in one header': (good) => ({ Authorization: `Bearer ${good}, Bearer x` }),
  'null as the token': () => ({ Authorization: 'Bearer null' }),
  'a token in a cookie': (good) => ({ Authorization: '', Cookie: `__session=${good}` }),
  'a token in another header': (good) => ({
    Authorization: '',
    'X-Authorization': `Bearer ${good}`,
  }),
  'debug headers': () => ({ Authorization: '', 'X-Goog-Authenticated-User-Id': ALICE.uid }),
};
const reset = 'notifications-resetNewNotifications';
const { path } = exampleRequest(reset, ALICE, '');

resists(service, [
  ...Object.entries(tokens).map(([name, headersOf]): Attack => [
    name,
    401,
    () => send(service, reset, { headers: headersOf(service.tokenOf(ALICE.uid)) }),
  ]),
  [
    'a token in the query',
    401,
    () => {
      const query = `access_token=${service.tokenOf(ALICE.uid)}`;
      return send(service, reset, { path: `${path}?${query}`, headers: { Authorization: '' } });
    },
  ],
]);

test('only the caller’s counter is reset, whoever is named in the body and the query', async () => {
  const [other] = OTHERS;
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ uid: other });

  const response = await send(service, reset, { path: `${path}?uid=${other}`, headers, body });

  expect(response.status).toBe(200);
  expect(await service.store.get(`users/${other}`)).toMatchObject({
    newNotificationsCount: 5,
  });
});

describe('an endpoint that changes a document', () => {
  /** Fields that no request may set: owners, counters of the service, and paths to a prototype. */
  const FOREIGN = {
    ...{ artistId: 'artist-bob', clientId: 'artist-bob', participantIds: ['artist-bob'] },
    ...{ isVerified: true, isAdmin: true, isVisible: false, viewCount: 1_000_000 },
    ...{ createdAt: 1, newNotificationsCount: 99, sessions: [] },
  };
  const PROTOTYPES =
    ',"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}},"prototype":{"isAdmin":true}}';
  /** The fields that the endpoints of a collection may change. */
  const CHANGED: Readonly<Record<string, readonly string[]>> = {
    availability: [
      ...['isActive', 'weeklySlots', 'dateRangeType', 'effectiveFrom', 'effectiveUntil'],
      ...['rollingDays', 'updatedAt'],
    ],
    bookings: ['sessions'],
    flash: ['isAvailable', 'order', 'updatedAt'],
    unavailableEvents: ['title', 'date', 'startTime', 'endTime'],
  };

  test.each(
    deployedEndpoints
      .filter(({ group, endpoint }) => endpoint.declaration.body && group in CHANGED)
      .map(({ functionId, group }) => [functionId, group]),
  )('stores only the fields it names: %s', async (functionId, collection) => {
    const kept = async () => {
      const data = (await service.store.get(`${collection}/alices-0`)) ?? {};
      const changed = CHANGED[collection] ?? [];
      return Object.fromEntries(Object.entries(data).filter(([name]) => !changed.includes(name)));
    };
    const before = await kept();
    const own = JSON.parse(bodyWith(functionId, {})) as object;
    const body = JSON.stringify({ ...FOREIGN, ...own }).replace(/}$/, PROTOTYPES);

    const response = await send(service, functionId, { body });

    expect(response.status).toBe(200);
    expect(await kept()).toEqual(before);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});
