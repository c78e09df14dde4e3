/** Deploys that are refused, and deploys to a project that has the functions already. */
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { deployedEndpoints } from '../../functions/declared/deployMap.ts';
import { AT_TERMINAL, ending, PARAMETERS, startRehearsal, type Rehearsal } from './rehearsal.ts';

let rehearsal: Rehearsal;

beforeEach(async () => {
  rehearsal = await startRehearsal();
});

afterEach(() => rehearsal.stop());

test('without parameters, or with an invalid one, a deploy is refused and changes nothing', async () => {
  const { folder, firebase, change, project, cloud } = rehearsal;
  const before = await project();

  await change(PARAMETERS, (text) => text.replace(/^MAX_INSTANCES=.*$/m, 'MAX_INSTANCES=-1'));
  expect(await firebase(['deploy', '--force'])).toEqual(ending(1, 'MAX_INSTANCES=-1 is invalid'));
  await rm(join(folder, PARAMETERS));
  expect(await firebase(['deploy', '--force'])).toEqual(ending(1, `${PARAMETERS} is missing`));

  expect(await project()).toEqual(before);
  expect(cloud.archives).toEqual([]);
});

test('later deploys change only what has changed, and delete nothing', async () => {
  const { firebase, change, project, indexes } = rehearsal;
  expect(await firebase(['deploy'], AT_TERMINAL)).toEqual(ending(0));
  const first = await project();
  const firstIndexes = indexes();

  expect(await firebase(['deploy'])).toEqual(ending(0));
  const { functions: same, version } = await project();
  expect([same, indexes()]).toEqual([first.functions, firstIndexes]);

  await change(PARAMETERS, (text) => text.replace(/^DEADLINE_SECONDS=.*$/m, 'DEADLINE_SECONDS=11'));
  const flash = 'functions:tattoo-marketplace:flash';
  expect(await firebase(['deploy', '--only', flash])).toEqual(ending(0));
  const { functions } = await project();
  const changed = functions.filter(
    ({ updateTime }) => !first.functions.some((each) => each.updateTime === updateTime),
  );
  expect(changed.map(({ name }) => basename(name)).sort()).toEqual(
    deployedEndpoints
      .filter(({ group }) => group === 'flash')
      .map(({ functionId }) => functionId)
      .sort(),
  );

  await change('public/index.html', (page) => `${page}<!-- changed -->\n`);
  expect(await firebase(['deploy', '--only', 'hosting'])).toEqual(ending(0));
  const hosted = await project();
  expect(hosted.functions).toEqual(functions);
  expect(hosted.version?.config).toEqual(version?.config);
  expect(hosted.version?.files).not.toEqual(version?.files);

  await change('functions/src/index.ts', (map) => map.replace(/,\s*reorder(?=,)/, ''));
  const refusal = 'firebase functions:delete flash-reorder';
  expect(await firebase(['deploy'])).toEqual(ending(1, refusal));
  expect((await project()).functions).toEqual(functions);
});
