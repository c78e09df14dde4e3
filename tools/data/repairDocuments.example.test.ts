import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startEmbeddedFirestore, EmulatorClient } from '@tattoo-marketplace/firestore-embedded';
import { createAdminSdkEnvironment } from '../../dev/adminSdkEnvironment.ts';

const PROJECT = 'demo-repair';

let embedded: Awaited<ReturnType<typeof startEmbeddedFirestore>>;
let folder: string;
let store: EmulatorClient;

beforeAll(async () => {
  embedded = await startEmbeddedFirestore();
  folder = await mkdtemp(join(tmpdir(), 'repair-'));
  store = new EmulatorClient(embedded.address, PROJECT);
});

afterAll(async () => {
  await embedded.stop();
  await rm(folder, { recursive: true });
});

/** Runs the program after a change of its source. */
async function runRepair(change: (program: string) => string = (program) => program) {
  const program = await readFile('tools/data/repairDocuments.example.js', 'utf8');
  const args = ['--input-type=module', '--eval', change(program)];
  const env = {
    ...process.env,
    ...(await createAdminSdkEnvironment(folder, PROJECT)),
    FIRESTORE_EMULATOR_HOST: embedded.address,
    GOOGLE_CLOUD_PROJECT: PROJECT,
  };
  return promisify(execFile)(process.execPath, args, { env }).then(
    ({ stderr }) => ({ code: 0, stderr }),
    (error: unknown) => error as { code: number; stderr: string },
  );
}

test('repairs missing fields and fields of another type, on several pages, and skips documents that change at the same time', async () => {
  const listings = Array.from({ length: 301 }, (_, id) => [`flash/${id}`, { order: id }] as const);
  await store.setAll([
    ...listings,
    ['flash/hidden', { isVisible: false, price: { type: 'fixed', amount: 5 } }],
    ['flash/null', { isVisible: null, price: { amount: '5' } }],
  ]);
  const concurrentWrite = 'await document.ref.update({ views: 1 });\n  await document.ref';

  const conflictResult = await runRepair((program) =>
    program.replace('await document.ref', concurrentWrite),
  );
  const unrepaired = await store.get('flash/300');
  const repeatedResult = await runRepair();

  expect(conflictResult.code).toBe(1);
  expect(conflictResult.stderr).toContain('flash/300: ');
  expect(unrepaired).toEqual({ order: 300, views: 1 });
  expect(repeatedResult).toMatchObject({ code: 0, stderr: '' });
  expect(await store.getAllDocuments()).toEqual({
    ...Object.fromEntries(
      listings.map(([path, data]) => [path, { ...data, isVisible: true, views: 1 }]),
    ),
    'flash/hidden': { isVisible: false, price: { type: 'fixed', amount: '5' }, views: 1 },
    'flash/null': { isVisible: true, price: { amount: '5' }, views: 1 },
  });
});
