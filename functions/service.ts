/** The endpoints and collections of the service, for tools and tests. */
import { listFunctions, type DeployedEndpoint } from '@tattoo-marketplace/endpoints';
import type { Collection } from '@tattoo-marketplace/collections';
import { schedules } from './src/availability/availability.ts';
import { bookings } from './src/bookings/booking.ts';
import { conversations, messages } from './src/conversations/message.ts';
import { listings } from './src/flash/flashListing.ts';
import { photos } from './src/gallery/galleryPhoto.ts';
import * as deployMap from './src/index.ts';
import { events } from './src/unavailableEvents/unavailableEvent.ts';
import { users } from './src/users.ts';

/** The endpoints, and the IDs of the other functions. */
export const { endpoints, otherFunctionIds } = listFunctions(deployMap);

/** Returns the endpoint of a function. Throws if there is none. */
export function getEndpoint(functionId: string): DeployedEndpoint {
  const deployed = endpoints.find((endpoint) => endpoint.functionId === functionId);
  if (deployed === undefined) throw new Error(`functions/src/index.ts has no ${functionId}.`);
  return deployed;
}

/** The collections of the models. */
export const COLLECTIONS: readonly Collection[] = [
  users,
  schedules,
  bookings,
  conversations,
  messages,
  listings,
  photos,
  events,
];
