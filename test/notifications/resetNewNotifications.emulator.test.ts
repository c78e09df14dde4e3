import { signedIn } from '../support/accounts.ts';
import { call } from '../support/api.ts';
import { storedArtist } from '../support/factories.ts';
import { stackStore } from '../support/firestore.ts';

const PATH = '/notifications/reset-new-notifications';

describe('POST /notifications/reset-new-notifications', () => {
  const store = stackStore();

  test('sets the caller’s counter to 0, and changes nothing else', async () => {
    const [alice, bob] = await Promise.all([signedIn(), signedIn()]);
    // Not an artist, who would appear in the artist list of other tests.
    const user = storedArtist({ userType: 'client', newNotificationsCount: 7 });
    await store.setIn('users', { [alice.uid]: user, [bob.uid]: user });

    const response = await call('POST', PATH, { token: alice.token });

    expect(response).toMatchObject({ status: 200, body: { success: true } });
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    expect(await store.get(`users/${alice.uid}`)).toEqual({
      ...user,
      newNotificationsCount: 0,
    });
    expect(await store.get(`users/${bob.uid}`)).toEqual(user);
  });

  test('can be repeated, even concurrently', async () => {
    const { uid, token } = await signedIn();
    await store.setIn('users', { [uid]: { newNotificationsCount: 7 } });

    const responses = await Promise.all([1, 2, 3].map(() => call('POST', PATH, { token })));

    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await store.get(`users/${uid}`)).toEqual({
      newNotificationsCount: 0,
    });
  });

  test('creates the counter if none is stored, and ignores any body', async () => {
    const { uid, token } = await signedIn();
    await store.setIn('users', { [uid]: { displayName: 'Alice' } });

    const { status } = await call('POST', PATH, { token, body: { uid: 'another', count: 9 } });

    expect(status).toBe(200);
    expect(await store.get(`users/${uid}`)).toEqual({
      displayName: 'Alice',
      newNotificationsCount: 0,
    });
  });

  test('returns 404 for an account without a profile, and does not create one', async () => {
    const { uid, token } = await signedIn();

    const response = await call('POST', PATH, { token });

    expect(response).toMatchObject({
      status: 404,
      body: { message: 'There is no profile for this account.' },
    });
    expect(await store.get(`users/${uid}`)).toBeUndefined();
  });
});
