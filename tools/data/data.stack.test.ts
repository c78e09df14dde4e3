import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Store } from '../../functions/declared/store.ts';
import { testStack } from '../../test/support/testStack.ts';

const { firestoreHost } = testStack();

/** The output of a command of tools/data on a project of its own, and its exit code. */
async function run(program: string, project: string, ...args: string[]) {
  const env = { ...process.env, FIRESTORE_EMULATOR_HOST: firestoreHost };
  const command = [`tools/data/${program}.ts`, '--project', project, ...args];
  return promisify(execFile)(process.execPath, command, { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: unknown) => error as { code: number; stdout: string; stderr: string },
  );
}

const SET = ['--set', 'isVisible=true', '--where-missing', 'isVisible'];
const RENAME = ['--rename', 'order=position'];
const CONVERT = ['--convert', 'price.amount=text'];

/** 700 listings without `isVisible`, with the older name of `order`, and a number for a text, in a project of their own. */
async function olderListings(project: string): Promise<Store> {
  const store = new Store(firestoreHost, project);
  const ids = Array.from({ length: 700 }, (_, index) => index);
  await store.setAll(
    ids.map((id) => [`flash/${id}`, { position: id, price: { amount: id }, views: 0 }] as const),
  );
  return store;
}

test('migrate sets, renames and converts while another program writes, leaves what is not certain or refused, and does nothing the second time', async () => {
  const project = 'demo-migrate';
  const store = await olderListings(project);
  const before = await store.everything();
  const both = {
    'flash/both': { order: 1, position: 2, isVisible: true, price: { amount: [] } },
  };
  await store.write(both);
  const migrate = (...args: string[]) => run('migrate', project, '--collection', 'flash', ...args);

  const rehearsed = await migrate(...SET);
  expect(rehearsed.stdout).toContain(
    'flash: 701 documents read, 700 would be changed: add --apply',
  );
  expect(await store.everything()).toEqual({ ...before, ...both });

  let isDone = false;
  const others = async () => {
    for (let views = 1; ; views += 1) {
      const update = {
        name: store.nameOf('flash/350'),
        fields: { views: { integerValue: String(views) } },
      };
      const writes = [{ update, updateMask: { fieldPaths: ['views'] } }];
      expect((await store.send(':commit', { writes })).status).toBe(200);
      if (isDone) return views;
    }
  };
  const writing = others();
  const set = await migrate(...SET, '--apply');
  const renamed = await migrate(...RENAME, '--apply');
  const converted = await migrate(...CONVERT, '--apply');
  isDone = true;
  const views = await writing;

  for (const { stdout } of [set, renamed, converted]) {
    expect(stdout).toContain('flash: 701 documents read, 700 changed');
  }
  const listings = Object.entries(before).map(([path, { position: order }]) => {
    const price = { amount: String(order) };
    return [path, { order, price, isVisible: true, views: path === 'flash/350' ? views : 0 }];
  });
  const reasons = ['both order and position have a value', 'price.amount is a list'];
  for (const [index, { stdout, code }] of [renamed, converted].entries()) {
    expect(stdout).toContain(`flash/both is left as it is: ${reasons[index]}`);
    expect(stdout).toContain(`700 changed, 1 left as they are\n      1  ${reasons[index]}`);
    expect(code).toBe(1);
  }
  expect(await store.everything()).toEqual({ ...Object.fromEntries(listings), ...both });
  for (const args of [SET, RENAME, CONVERT]) {
    expect((await migrate(...args, '--apply')).stdout).toContain('701 documents read, 0 changed');
  }
  const refused = await migrate('--set', 'tags=[[1]]', '--where-missing', 'tags', '--apply');
  expect(refused.stdout).toMatch(/701 left as they are\n +701 {2}Firestore refuses .*_ARGUMENT\n$/);
  expect(refused.code).toBe(1);
  const preferred = await migrate(...RENAME, '--prefer', 'position', '--apply');
  expect(preferred).toMatchObject({ code: 0, stdout: 'flash: 701 documents read, 1 changed\n' });
  expect(await store.get('flash/both')).not.toHaveProperty('position');
});

test('check:data reads all pages, names what no list shows and the command that mends it, and fails', async () => {
  const project = 'demo-check-data';
  const store = await olderListings(project);
  const listings = Object.keys(await store.everything());
  const listing = { artistId: 'alice', isVisible: true, order: 1 };
  await store.setAll([
    ...listings.map((path) => [path, path === 'flash/699' ? { order: 1 } : listing] as const),
    ...['conversations/1/messages/1', 'teams/1/messages/1'].map((path) => [path, {}] as const),
  ]);

  const { code, stdout, stderr } = await run(
    'checkData',
    project,
    '--database',
    '(default)',
    '--json',
  );

  expect(stderr).toContain('This check costs 702 reads');
  const { results } = JSON.parse(stdout) as { results: readonly { collection: string }[] };
  const resultOf = (name: string) => results.find(({ collection }) => collection === name);
  const lost = (what: string, examples: string[]) =>
    expect.objectContaining({ kind: 'lost', what, documents: 1, examples }) as unknown;
  expect(resultOf('flash')).toMatchObject({
    documents: 700,
    findings: [
      lost('artistId is missing', ['flash/699']),
      {
        what: 'isVisible is missing',
        mends: [
          {
            what: 'To give them one value',
            command: `npm run migrate -- --project ${project} --database "(default)" --collection flash ${SET.join(' ')}`,
          },
        ],
      },
    ],
  });
  expect(resultOf('conversations/{conversationId}/messages')).toMatchObject({
    documents: 1,
    findings: [lost('timestamp is missing', ['conversations/1/messages/1'])],
  });
  expect(code).toBe(1);

  const limited = await run('checkData', project, '--collection', 'flash', '--limit', '500');
  expect(limited.stderr).toContain('This check costs 500 reads');
  expect(limited.stdout).toContain('flash: 500 documents, all fit');
  expect(limited.code).toBe(0);

  const empty = await run('checkData', project, '--collection', 'gallery');
  expect(empty.stderr).toMatch(/has no documents in gallery\. .*: --project demo-tattoo\n$/);
  expect(empty.code).toBe(1);
});
