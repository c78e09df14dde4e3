/** Deploys that are refused, and deploys to a project that has the functions already. */
import { rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import {
  AT_TERMINAL,
  ending,
  PARAMETERS,
  PROJECT,
  REGION,
  startRehearsal,
  type Rehearsal,
} from './rehearsal.ts';

let rehearsal: Rehearsal;

beforeEach(async () => {
  rehearsal = await startRehearsal();
});

afterEach(() => rehearsal.stop());

test('without parameters, or with an invalid one, also in the file of an alias, a deploy is refused and changes nothing', async () => {
  const { folder, firebase, change, project, cloud } = rehearsal;
  const before = project();
  await change('.firebaserc', () => JSON.stringify({ projects: { staging: PROJECT } }));
  await change(PARAMETERS, (text) => text.replace(/^MAX_INSTANCES=.*$/m, 'MAX_INSTANCES=-1'));
  const invalid = ending(1, 'MAX_INSTANCES=-1 is invalid. Allowed: an integer from 1 to 1000.');

  expect(await firebase(['deploy', '--force'])).toEqual(invalid);
  const ofAlias = join(folder, 'functions/.env.staging');
  await rename(join(folder, PARAMETERS), ofAlias);
  expect(await firebase(['deploy', '--force', '--project', 'staging'])).toEqual(invalid);
  await writeFile(ofAlias, `REGION=${REGION}`);
  const missing = ending(1, 'no value for the following environment variables: DATABASE_ID, ');
  expect(await firebase(['deploy', '--project', 'staging'])).toEqual(missing);

  expect(project()).toEqual(before);
  expect(cloud.archives).toEqual([]);
});

test('later deploys change only what has changed, and delete nothing', async () => {
  const { firebase, change, project } = rehearsal;
  expect(await firebase(['deploy'], AT_TERMINAL)).toEqual(ending(0));
  const first = project();

  expect(await firebase(['deploy'])).toEqual(ending(0));
  const { functions: same, version, indexes } = project();
  expect([same, indexes]).toEqual([first.functions, first.indexes]);

  await change(PARAMETERS, (text) => text.replace(/^DEADLINE_SECONDS=.*$/m, 'DEADLINE_SECONDS=11'));
  const flash = 'functions:tattoo-marketplace:flash';
  expect(await firebase(['deploy', '--only', flash])).toEqual(ending(0));
  const { functions } = project();
  const changed = functions.filter(
    ({ updateTime }) => !first.functions.some((each) => each.updateTime === updateTime),
  );
  expect(changed).toEqual(functions.filter(({ name }) => basename(name).startsWith('flash-')));

  await change('public/index.html', (page) => `${page}<!-- changed -->\n`);
  expect(await firebase(['deploy', '--only', 'hosting'])).toEqual(ending(0));
  const hosted = project();
  expect(hosted.functions).toEqual(functions);
  expect(hosted.version?.config).toEqual(version?.config);
  expect(hosted.version?.files).not.toEqual(version?.files);

  const withoutGroup = (map: string) => map.replace('export const bookings', 'const bookings');
  await change('functions/src/index.ts', withoutGroup);
  const refusal = 'firebase functions:delete bookings-deleteSession';
  expect(await firebase(['deploy'])).toEqual(ending(1, refusal));
  expect(project().functions).toEqual(functions);
});
