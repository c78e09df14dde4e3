import { readGoogle, signIn } from './googleApi.ts';

const ADDRESS = 'firestore.googleapis.com/v1/projects/p/databases/d?pageSize=1';

test.each<[string, number, object, object]>([
  ['what it reads', 200, { name: 'd' }, { result: { name: 'd' } }],
  ['nothing where there is nothing', 404, { error: { message: 'Not found' } }, {}],
  [
    'nothing without the API',
    403,
    { error: { message: 'Enable it', details: [{ reason: 'SERVICE_DISABLED' }] } },
    {},
  ],
  [
    'the permission that is lacking',
    403,
    { error: { message: 'Denied' } },
    {
      error: expect.stringMatching(/may lack datastore\.databases\.get\. .*Denied/) as string,
    },
  ],
])('returns %s', async (_what, status, body, expected) => {
  process.env.FIREBASE_TOKEN = 'token';
  jest.spyOn(globalThis, 'fetch').mockImplementation((input) => {
    const url = input instanceof Request ? input.url : String(input);
    const isToken = url.endsWith('/token');
    if (isToken) return Promise.resolve(Response.json({ access_token: 't', expires_in: 60 }));
    const isRight = url === `https://${ADDRESS}`;
    return Promise.resolve(Response.json(body, { status: isRight ? status : 400 }));
  });

  await signIn('p');
  const outcome = await readGoogle(ADDRESS, 'datastore.databases.get').then(
    (result) => (result === undefined ? {} : { result }),
    (error: unknown) => ({ error: (error as Error).message }),
  );

  expect(outcome).toEqual(expected);
});
