/**
 * What each endpoint returns and stores for its example request, and that a refused request changes nothing. The emulator
 * tests of an endpoint go into its details.
 */
import { deployedEndpoints, exampleOf } from '../support/deployMap.ts';
import {
  exampleRequest,
  storeExampleWorld,
  type ExampleWorld,
} from '../support/exampleRequests.ts';
import { storedListing, storedMessage, storedPhoto, storedSession } from '../support/factories.ts';
import { freshId } from '../support/firestore.ts';
import { inProcessService } from '../support/inProcessService.ts';
import { expectError } from '../support/publicEndpoint.ts';

const service = inProcessService({
  ADDRESS_REQUESTS_PER_MINUTE: '0',
  USER_REQUESTS_PER_MINUTE: '0',
});

type Documents = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

const NOW: unknown = expect.any(Number);

/** What a successful example request does. */
interface Result {
  readonly response: object;
  /** The new values of fields by document; a field that is undefined is removed, and so is such a document. */
  readonly changes?: Documents;
}

/** The fields that the example request of a function sends. */
function sent(functionId: string): Readonly<Record<string, unknown>> {
  const deployed = deployedEndpoints.find((each) => each.functionId === functionId);
  return { ...(deployed && (exampleOf(deployed).body as object)) };
}

/** The results in a world with three documents of each kind. */
function resultsIn({ uid, prefix = '' }: ExampleWorld): Readonly<Record<string, Result>> {
  const ids = [0, 1, 2].map((index) => `${prefix}-${index}`);
  const [first = ''] = ids;
  const eachListing = (fields: object): Documents =>
    Object.fromEntries(ids.map((id) => [`flash/${id}`, { ...fields, updatedAt: NOW }]));
  const { artistId, availabilityId, createdAt, ...schedule } = sent(
    'availability-updateAvailability',
  );
  const { id, ...event } = sent('unavailableEvents-editUnavailableEvent');
  expect([artistId, availabilityId, createdAt, id]).not.toContain(undefined);
  const newestFirst = ids.toReversed();
  return {
    'artists-list': { response: [] },
    'availability-updateAvailability': {
      response: { success: true },
      changes: {
        [`availability/${first}`]: { ...schedule, effectiveUntil: undefined, updatedAt: NOW },
      },
    },
    'bookings-deleteSession': {
      response: { message: 'Session 2 was deleted from the booking.', bookingId: first },
      changes: { [`bookings/${first}`]: { sessions: [storedSession(1), storedSession(3)] } },
    },
    'conversations-getMessages': {
      response: {
        messages: newestFirst.map((each) => ({ ...storedMessage(), id: each })),
        hasMore: false,
      },
    },
    'flash-listByArtist': {
      response: {
        flash: ids.map((each, order) => ({
          ...storedListing({ artistId: uid, order }),
          id: each,
        })),
        total: 3,
        hasMore: false,
      },
    },
    'flash-markAsAvailable': {
      response: { success: true, updatedCount: 3 },
      changes: eachListing({ isAvailable: true }),
    },
    'flash-markAsUnavailable': {
      response: { success: true, updatedCount: 3 },
      changes: eachListing({ isAvailable: false }),
    },
    'flash-reorder': { response: { success: true }, changes: eachListing({}) },
    'gallery-listByArtist': {
      response: {
        photos: ids.map((each, order) => ({ ...storedPhoto({ artistId: uid, order }), id: each })),
        total: 3,
        hasMore: false,
      },
    },
    'gallery-removePhotos': {
      response: { success: true },
      changes: Object.fromEntries(ids.map((each) => [`gallery/${each}`, undefined])),
    },
    'notifications-resetNewNotifications': {
      response: { success: true },
      changes: { [`users/${uid}`]: { newNotificationsCount: 0 } },
    },
    'unavailableEvents-editUnavailableEvent': {
      response: { success: true, message: 'The unavailable event was updated.' },
      changes: { [`unavailableEvents/${first}`]: event },
    },
  };
}

function freshWorld(): ExampleWorld {
  return { uid: freshId('alice'), prefix: freshId('thing') };
}

async function storedWorld(): Promise<ExampleWorld> {
  const world = freshWorld();
  await storeExampleWorld(service.store, world);
  return world;
}

/** All documents of a world, by path. */
async function documentsOf({ uid, prefix = '' }: ExampleWorld): Promise<Documents> {
  const all = await service.store.everything();
  return Object.fromEntries(
    [...all].filter(([path]) => path.includes(`/${prefix}-`) || path === `users/${uid}`),
  );
}

/** The documents after these changes. */
function changed(documents: Documents, changes: Documents): Documents {
  const after = Object.entries(documents).map(([path, data]) => {
    if (!(path in changes)) return [path, data] as const;
    const fields = changes[path];
    return [path, fields && { ...data, ...fields }] as const;
  });
  return Object.fromEntries(after.filter(([, data]) => data !== undefined));
}

/** Sends the example request of a function in a world. */
async function sendExample(functionId: string, world: ExampleWorld, caller = world.uid) {
  const { path, ...options } = exampleRequest(functionId, world, service.tokenOf(caller));
  return service.send(functionId, path, options);
}

const all = deployedEndpoints
  .filter(({ functionId }) => functionId in resultsIn({ uid: '' }))
  .map(({ functionId, endpoint }) => ({ functionId, ...endpoint.declaration }));

test.each(all)(
  '$functionId returns its result, and changes nothing else',
  async ({ functionId }) => {
    const world = await storedWorld();
    const { response, changes = {} } = resultsIn(world)[functionId] ?? {};
    const before = await documentsOf(world);
    const startedAt = Date.now();

    const answer = await sendExample(functionId, world);

    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toEqual(response);
    const after = await documentsOf(world);
    expect(after).toEqual(changed(before, changes));
    const updated = Object.keys(changes).flatMap((path) => after[path]?.updatedAt ?? []);
    for (const time of updated) expect(time).toBeGreaterThanOrEqual(startedAt);
  },
);

const MISSING =
  /^(\w+(\[0\](\.id)?)? names a document that does not exist|There is no profile for this account)\.$/;
const FOREIGN =
  /^(\w+(\[0\](\.id)?)? names a document that is not yours|You are not a participant of this conversation)\.$/;

const signedIn = all.filter(({ access }) => access === 'signedIn');

test.each(signedIn)('$functionId finds nothing where nothing is stored', async ({ functionId }) => {
  const world = freshWorld();

  expectError(await sendExample(functionId, world), 404, MISSING);
  expect(await documentsOf(world)).toEqual({});
});

test.each(
  signedIn.filter(({ functionId }) => functionId !== 'notifications-resetNewNotifications'),
)(
  '$functionId refuses whoever does not own the documents, and changes nothing',
  async ({ functionId }) => {
    const world = await storedWorld();
    const before = await documentsOf(world);

    expectError(await sendExample(functionId, world, freshId('bob')), 403, FOREIGN);
    expect(await documentsOf(world)).toEqual(before);
  },
);

describe.each([
  ['flash-markAsAvailable', 'flash', 'flashIds[1]'],
  ['flash-markAsUnavailable', 'flash', 'flashIds[1]'],
  ['flash-reorder', 'flash', 'flashUpdates[1].id'],
  ['gallery-removePhotos', 'gallery', 'photoIds[1]'],
])('%s changes nothing', (functionId, collection, field) => {
  test.each([
    ['does not exist', 404, `${field} names a document that does not exist.`],
    ['is another artist’s', 403, `${field} names a document that is not yours.`],
  ])('if one document %s', async (_what, status, message) => {
    const world = await storedWorld();
    const one = `${collection}/${world.prefix ?? ''}-1`;
    await (status === 404
      ? service.store.delete(one)
      : service.store.update(one, { artistId: 'bob' }));
    const before = await documentsOf(world);

    expectError(await sendExample(functionId, world), status, message);
    expect(await documentsOf(world)).toEqual(before);
  });
});
