import type { Firestore } from 'firebase-admin/firestore';
import { EXAMPLES } from '../openapi/examples.ts';
import { deployedEndpoints } from './deployMap.ts';
import {
  storedAvailability,
  storedBooking,
  storedEvent,
  storedListing,
  storedMessage,
  storedPhoto,
} from './factories.ts';

/** A request that is answered with 200, once the world is there in which it makes sense. */
export interface ExampleRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Whom the example requests come from, and what the ids of the documents that they name start with. */
export interface ExampleWorld {
  readonly uid: string;
  readonly prefix: string;
  /** How many documents a list of ids names. */
  readonly size?: number;
}

function idsOf({ prefix, size = 3 }: ExampleWorld): string[] {
  return Array.from({ length: size }, (_, index) => `${prefix}-${index}`);
}

/** Stores what the example requests of a world need: every document is the caller's. */
export async function storeExampleWorld(firestore: Firestore, world: ExampleWorld): Promise<void> {
  const { uid, prefix } = world;
  const writer = firestore.bulkWriter({ throttling: false });
  void writer.set(firestore.doc(`users/${uid}`), { newNotificationsCount: 3 });
  void writer.set(firestore.doc(`conversations/${prefix}-0`), { participantIds: [uid] });
  idsOf(world).forEach((id, order) => {
    const stored: Readonly<Record<string, object>> = {
      flash: storedListing({ artistId: uid, order }),
      gallery: storedPhoto({ artistId: uid, order }),
      availability: storedAvailability({ artistId: uid }),
      unavailableEvents: storedEvent({ artistId: uid }),
      bookings: storedBooking({ artistId: uid }),
      [`conversations/${prefix}-0/messages`]: storedMessage(),
    };
    for (const [collection, data] of Object.entries(stored)) {
      void writer.set(firestore.doc(`${collection}/${id}`), data);
    }
  });
  await writer.close();
}

/** The example request of a function in a world; `query` is added to that of a page. */
export function exampleRequest(
  functionId: string,
  world: ExampleWorld,
  token: string,
  query: Readonly<Record<string, string>> = {},
): ExampleRequest {
  const { uid, prefix } = world;
  const ids = idsOf(world);
  const id = `${prefix}-0`;
  const own: Readonly<Record<string, object>> = {
    'availability-updateAvailability': { artistId: uid, availabilityId: id },
    'bookings-deleteSession': { bookingId: id },
    'flash-markAsAvailable': { flashIds: ids },
    'flash-markAsUnavailable': { flashIds: ids },
    'flash-reorder': { flashUpdates: ids.map((each, order) => ({ id: each, order })) },
    'gallery-removePhotos': { photoIds: ids },
    'unavailableEvents-editUnavailableEvent': { id },
  };
  const deployed = deployedEndpoints.find((each) => each.functionId === functionId);
  if (deployed === undefined) throw new Error(`There is no function ${functionId}.`);
  const { method, path, body } = deployed.endpoint.declaration;
  const parameters = new URLSearchParams({
    ...(functionId === 'conversations-getMessages' && { conversationId: id }),
    ...query,
  }).toString();
  return {
    method,
    path: `${path.replace(/\{\w+\}/g, uid)}${parameters === '' ? '' : `?${parameters}`}`,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify({ ...EXAMPLES[functionId]?.body, ...own[functionId] }) }),
  };
}
