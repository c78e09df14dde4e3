import { deployedEndpoints } from '../../support/deployMap.ts';
import { idTokenClaims, unsignedToken } from '../../emulator/google/idTokens.ts';
import { inProcessService } from '../../support/inProcessService.ts';
import { resists, type Attack } from './attack.ts';
import { ALICE, BOB, bodyWith, OTHERS, send, storeTargets } from './world.ts';

const service = inProcessService();

beforeAll(() => storeTargets(service));

const signedIn = deployedEndpoints
  .filter(({ endpoint }) => endpoint.declaration.access === 'signedIn')
  .map(({ functionId }) => functionId);
const aboutOthers = signedIn.filter((id) => id !== 'notifications-resetNewNotifications');
const reset = 'notifications-resetNewNotifications';

/** False claims of ownership in the body, the query and the headers. */
const claims: Attack[] = [
  ...aboutOthers
    .filter((functionId) => functionId !== 'conversations-getMessages')
    .flatMap((functionId) =>
      ['artistId', 'ownerId', 'uid', 'userId', 'clientId'].map((field): Attack => ({
        owasp: 'API1 object level authorization',
        name: `${functionId} by Bob, whose body claims ${field}`,
        send: () =>
          send(service, functionId, { body: bodyWith(functionId, { [field]: BOB.uid }) }, BOB.uid),
        status: 403,
        isRefusedByData: true,
      })),
    ),
  ...['participantIds', 'uid', 'userId'].map((field): Attack => ({
    owasp: 'API1 object level authorization',
    name: `messages by Bob, whose query claims ${field}`,
    send: () =>
      send(
        service,
        'conversations-getMessages',
        { path: `/conversations/get-messages?conversationId=alices-0&${field}=${BOB.uid}` },
        BOB.uid,
      ),
    status: 403,
    isRefusedByData: true,
  })),
  ...['X-User-Id', 'X-Forwarded-User', 'X-Original-User', 'X-Firebase-Uid', 'From'].map(
    (header): Attack => ({
      owasp: 'API1 object level authorization',
      name: `messages by Bob, whose header ${header} names Alice`,
      send: () =>
        send(service, 'conversations-getMessages', { headers: { [header]: ALICE.uid } }, BOB.uid),
      status: 403,
      isRefusedByData: true,
    }),
  ),
];

/** An endpoint that requires a token, called without a valid one; test/service/refusals tries them all. */
const tokens: Attack[] = [reset].flatMap((functionId) => {
  const good = idTokenClaims('demo-in-process', ALICE.uid);
  const attempts: [string, () => Record<string, string>][] = [
    ['no header', () => ({ Authorization: '' })],
    ['an unsigned token', () => ({ Authorization: `Bearer ${unsignedToken(good)}` })],
    [
      'a token in lower case',
      () => ({ Authorization: `Bearer ${service.tokenOf(ALICE.uid).toLowerCase()}` }),
    ],
    [
      'half a token',
      () => ({ Authorization: `Bearer ${service.tokenOf(ALICE.uid).slice(0, -20)}` }),
    ],
    [
      'a token with another signature',
      () => ({ Authorization: `Bearer ${service.tokenOf(ALICE.uid).replace(/[^.]*$/, 'c2ln')}` }),
    ],
    ['basic authentication', () => ({ Authorization: 'Basic YWxpY2U6c2VjcmV0' })],
    ['a token of 8 kB', () => ({ Authorization: `Bearer ${'a'.repeat(8000)}.b.c` })],
    [
      'a token in a cookie',
      () => ({ Authorization: '', Cookie: `__session=${service.tokenOf(ALICE.uid)}` }),
    ],
    [
      'a token in another header',
      () => ({ Authorization: '', 'X-Authorization': `Bearer ${service.tokenOf(ALICE.uid)}` }),
    ],
    [
      'two tokens in one header',
      () => ({ Authorization: `Bearer ${service.tokenOf(ALICE.uid)}, Bearer x` }),
    ],
    ['null as the token', () => ({ Authorization: 'Bearer null' })],
    ['undefined as the token', () => ({ Authorization: 'Bearer undefined' })],
    [
      'a debug header',
      () => ({ Authorization: '', 'X-Debug': 'true', 'X-Goog-Authenticated-User-Id': ALICE.uid }),
    ],
  ];
  return attempts.map(([name, headers]): Attack => ({
    owasp: 'API2 authentication',
    name: `${functionId} with ${name}`,
    send: () => send(service, functionId, { headers: headers() }),
    status: 401,
  }));
});

const tokenInQuery: Attack = {
  owasp: 'API2 authentication',
  name: 'a token in the query',
  send: () =>
    send(service, 'conversations-getMessages', {
      path: `/conversations/get-messages?conversationId=alices-0&access_token=${service.tokenOf(ALICE.uid)}`,
      headers: { Authorization: '' },
    }),
  status: 401,
};

const oddSubjects: Attack[] = ['', '.', '..', 'a/b', '__x__', 'x'.repeat(200)].map((uid) => ({
  owasp: 'API2 authentication',
  name: `a signed token with the subject “${uid.slice(0, 10)}”`,
  send: () => send(service, reset, {}, uid),
  status: 401,
}));

const flows: Attack[] = [
  {
    owasp: 'API6 sensitive flows',
    name: 'the counter of an account without a profile',
    send: () => send(service, reset, {}, OTHERS[2]),
    status: 404,
    isRefusedByData: true,
  },
  {
    owasp: 'API5 function level authorization',
    name: 'the counter of another user, named in the body and the query',
    send: () =>
      send(
        service,
        reset,
        {
          path: `/notifications/reset-new-notifications?uid=${OTHERS[0]}`,
          headers: { 'Content-Type': 'application/json' },
          body: `{"uid":"${OTHERS[0]}"}`,
        },
        ALICE.uid,
      ),
    status: 200,
  },
];

resists(service, [...claims, ...tokens, tokenInQuery, ...oddSubjects, ...flows]);

test('API5 function level authorization: only the caller’s counter is reset', async () => {
  const counts = await Promise.all(
    OTHERS.slice(0, 2).map(
      async (uid) => (await service.store.get(`users/${uid}`))?.newNotificationsCount,
    ),
  );

  expect(counts).toEqual([5, 5]);
});
