/** What goes wrong with Firestore and with the token keys, as the client sees it. */
import type { Fault } from '../emulator/firestore/faults.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { deployedEndpoints } from '../support/deployMap.ts';
import { exampleRequest, storeExampleWorld } from '../support/exampleRequests.ts';
import { freshId } from '../support/firestore.ts';
import { inProcessService } from '../support/inProcessService.ts';
import type { RawAnswer } from '../support/rawRequest.ts';

const DEADLINE_MS = 1_000;
/** What the machine may be busy with beside. */
const PATIENCE_MS = 3_000;
const RECOVERY_MS = 60_000;

const service = inProcessService({
  ADDRESS_REQUESTS_PER_MINUTE: '0',
  USER_REQUESTS_PER_MINUTE: '0',
});

const ALL = deployedEndpoints.map(({ functionId }) => functionId);
const WRITING = deployedEndpoints
  .filter(({ endpoint }) => endpoint.declaration.method !== 'GET')
  .map(({ functionId }) => functionId);
type World = { readonly uid: string; readonly prefix: string };

async function freshWorld(): Promise<World> {
  const world = { uid: freshId('alice'), prefix: freshId('thing') };
  await storeExampleWorld(service.firestore, world);
  return world;
}

/** A world for each endpoint. */
async function freshWorlds() {
  return Promise.all(ALL.map(async (functionId) => ({ functionId, world: await freshWorld() })));
}

async function storedIn(worlds: readonly { readonly world: World }[]): Promise<unknown[]> {
  return Promise.all(worlds.map(({ world }) => stored(world)));
}

/** Makes what the service asks of Firestore go wrong, and what the tests themselves do to look at it go right. */
async function goWrong(fault: Fault): Promise<void> {
  await service.control.inject(service.projectId, fault);
}

async function ask(functionId: string, world: World): Promise<RawAnswer> {
  const { path, ...options } = exampleRequest(functionId, world, service.tokenOf(world.uid));
  return service.send(functionId, path, options);
}

/** What is stored of a world. */
async function stored({ uid, prefix }: World): Promise<unknown[]> {
  const names = ['flash', 'gallery', 'availability', 'unavailableEvents', 'bookings'];
  const paths = names.flatMap((name) => [0, 1, 2].map((index) => `${name}/${prefix}-${index}`));
  const documents = await service.firestore.getAll(
    ...[...paths, `users/${uid}`].map((path) => service.firestore.doc(path)),
  );
  return documents.map((document) => document.data());
}

/** Expects that a request is told to come again, within its deadline. */
async function expectUnavailable(functionId: string, world: World): Promise<void> {
  const began = performance.now();
  const answer = await ask(functionId, world);

  expect([functionId, answer.status]).toEqual([functionId, 503]);
  expect(JSON.parse(answer.text)).toEqual({
    message: 'The service cannot answer right now. Please try again in a few seconds.',
  });
  expect(answer.headers['retry-after']).toMatch(/^\d+$/);
  expect(performance.now() - began).toBeLessThan(DEADLINE_MS + PATIENCE_MS);
}

/** Whether the second of two same requests finds gone what the first has deleted. */
function deletes(functionId: string): boolean {
  return /delete|remove/i.test(functionId);
}

/**
 * Asks until the answer is 200, as an app does that waits between. What was told 503 may have been done late: then what
 * is to be deleted is gone.
 */
async function recovery(functionId: string, world: World): Promise<void> {
  const began = performance.now();
  let status = 0;
  while (status !== 200 && performance.now() - began < RECOVERY_MS) {
    ({ status } = await ask(functionId, world));
    if (status === 404 && deletes(functionId)) return;
    await delay(50);
  }
  expect([functionId, status]).toEqual([functionId, 200]);
}

/** Expects that every endpoint works again in its world, and has done there what it does, once and whole. */
async function expectRecovery(
  worlds: readonly { readonly functionId: string; readonly world: World }[],
): Promise<void> {
  await Promise.all(worlds.map(({ functionId, world }) => recovery(functionId, world)));
  for (const { functionId, world } of worlds) {
    const undisturbed = await freshWorld();
    expect((await ask(functionId, undisturbed)).status).toBe(200);
    expect(await comparable(world)).toEqual(await comparable(undisturbed));
  }
}

/** What is stored of a world, without what differs from one to the other: its names and its times. */
async function comparable(world: World): Promise<unknown> {
  const text = JSON.stringify(await stored(world));
  const named = text.replaceAll(world.uid, 'alice').replaceAll(world.prefix, 'thing');
  return JSON.parse(named.replace(/"updatedAt":\d+/g, '"updatedAt":0'));
}

beforeEach(() => {
  process.env.DEADLINE_SECONDS = String(DEADLINE_MS / 1000);
});

afterEach(() => service.control.heal(service.projectId));

describe('Firestore is stopped', () => {
  test('every endpoint is 503, changes nothing, and works again when Firestore is back', async () => {
    const worlds = await freshWorlds();
    const before = await storedIn(worlds);
    await service.wire.cut();

    await Promise.all(worlds.map(({ functionId, world }) => expectUnavailable(functionId, world)));
    expect(await storedIn(worlds)).toEqual(before);
    await service.wire.mend();

    await expectRecovery(worlds);
  });

  test('in the middle of traffic: every request is answered, and the rest goes on', async () => {
    const worlds = await freshWorlds();
    const asked = worlds.map(({ functionId, world }) => ask(functionId, world));
    await service.wire.cut();
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    await service.wire.mend();

    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    await expectRecovery(worlds);
  });
});

describe('Firestore is slow', () => {
  test('every endpoint is 503 at its deadline, and works as soon as Firestore does', async () => {
    const worlds = await freshWorlds();
    await goWrong({ call: '*', when: 'before', delayMs: 20_000 });

    await Promise.all(worlds.map(({ functionId, world }) => expectUnavailable(functionId, world)));
    await service.control.heal(service.projectId);

    const answers = await Promise.all(
      worlds.map(({ functionId, world }) => ask(functionId, world)),
    );
    expect(answers.map(({ status }) => status)).toEqual(ALL.map(() => 200));
  });

  test('every endpoint is 503 while an answer does not go on, and works when it does', async () => {
    const worlds = await freshWorlds();
    service.wire.stall();

    await Promise.all(worlds.map(({ functionId, world }) => expectUnavailable(functionId, world)));
    service.wire.flow();

    await expectRecovery(worlds);
  });
});

describe('Firestore fails', () => {
  test.each([
    ['deadline exceeded', 4],
    ['resource exhausted', 8],
    ['aborted', 10],
    ['unavailable', 14],
  ])(
    'for a while: with %s every endpoint is 503, changes nothing, and works again',
    async (_name, code) => {
      const worlds = await freshWorlds();
      await goWrong({ call: '*', when: 'before', code });

      await Promise.all(
        worlds.map(({ functionId, world }) => expectUnavailable(functionId, world)),
      );
      await service.control.heal(service.projectId);

      await expectRecovery(worlds);
    },
  );

  test('often at the commit: every endpoint that writes is done in the end', async () => {
    process.env.DEADLINE_SECONDS = '20';
    const worlds = (await freshWorlds()).filter(({ functionId }) => WRITING.includes(functionId));
    await goWrong({ call: 'Commit', when: 'before', code: 10, times: 2 * worlds.length });

    await expectRecovery(worlds);
  });

  test.each([
    ['invalid argument', 3],
    ['permission denied', 7],
    ['unimplemented', 12],
    ['data loss', 15],
  ])(
    'by a fault of ours: with %s every endpoint is 500, or 503 where the SDK tries again, and says nothing of it',
    async (_name, code) => {
      const worlds = await freshWorlds();
      await goWrong({ call: '*', when: 'before', code });

      const answers = await Promise.all(
        worlds.map(({ functionId, world }) => ask(functionId, world)),
      );

      expect(answers.filter(({ status }) => status !== 500 && status !== 503)).toEqual([]);
      expect(answers.filter(({ text }) => /secret|database/.test(text))).toEqual([]);
      await service.control.heal(service.projectId);
      await expectRecovery(worlds);
    },
  );
});

describe('the answer to a commit is lost', () => {
  test.each(WRITING)('%s is done once, and says so', async (functionId) => {
    process.env.DEADLINE_SECONDS = '20';
    const [undisturbed, world] = [await freshWorld(), await freshWorld()];
    expect((await ask(functionId, undisturbed)).status).toBe(200);
    await goWrong({ call: 'Commit', when: 'after', code: 14, times: 1 });

    expect((await ask(functionId, world)).status).toBe(200);

    expect(await comparable(world)).toEqual(await comparable(undisturbed));
  });

  test.each(WRITING)('%s does no harm when the client sends it again', async (functionId) => {
    const world = await freshWorld();
    expect((await ask(functionId, world)).status).toBe(200);
    const after = await comparable(world);

    const { status } = await ask(functionId, world);

    expect(status).toBe(deletes(functionId) ? 404 : 200);
    expect(await comparable(world)).toEqual(after);
  });
});

test('a transaction whose caller was told 503 is done whole or not at all', async () => {
  const world = await freshWorld();
  const before = await stored(world);
  await service.control.inject(service.projectId, {
    call: 'Commit',
    when: 'before',
    delayMs: 4_000,
    times: 1,
  });

  await expectUnavailable('flash-markAsUnavailable', world);

  const listings = async () => (await stored(world)).slice(0, 3) as { isAvailable: boolean }[];
  expect((await listings()).map(({ isAvailable }) => isAvailable)).toEqual([true, true, true]);
  expect(await stored(world)).toEqual(before);
  // It is done late, and whole.
  while ((await listings()).some(({ isAvailable }) => isAvailable)) {
    expect(new Set((await listings()).map(({ isAvailable }) => isAvailable)).size).toBe(1);
    await delay(50);
  }
});
