import { listVerifiedArtists, User } from '../../functions/src/artists/user.ts';
import { isChecked } from '../../functions/src/checkedObjects.ts';
import { inContext, newUsage } from '../../functions/src/requestContext.ts';
import { answers, startScriptedServer, type ScriptedServer } from '../support/scriptedServer.ts';

const PROJECT = 'demo-user';
const TIME = '2026-01-01T00:00:00.000001Z';
const CLIENT_INFO = { clientInfo: { mapValue: { fields: { secret: { stringValue: 'secret' } } } } };

let server: ScriptedServer;

beforeAll(async () => {
  server = await startScriptedServer();
  Object.assign(process.env, { FIRESTORE_EMULATOR_HOST: server.address, GCLOUD_PROJECT: PROJECT });
});

afterAll(() => server.stop());

test('artists are read without the info blocks of other user types, and checked once', async () => {
  const name = `projects/${PROJECT}/databases/(default)/documents/users/a`;
  const document = { name, fields: CLIENT_INFO, createTime: TIME, updateTime: TIME };
  server.play(answers([{ document, readTime: TIME }]));

  const signal = AbortSignal.timeout(30_000);
  const parts = await inContext({ usage: newUsage(), signal }, async () =>
    Array.fromAsync(listVerifiedArtists()),
  );

  const [artist] = parts.flat();
  expect(artist).toMatchObject({ id: 'a' });
  expect(artist).not.toHaveProperty('clientInfo');
  expect(isChecked(artist, User)).toBe(true);
  expect(JSON.stringify(server.seen[0]?.body)).not.toMatch(/clientInfo|studioInfo/);
});
