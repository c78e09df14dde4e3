import * as z from 'zod';
import { safeInteger } from '@tattoo-marketplace/endpoints';
import {
  defineCollection,
  listUniqueReferences,
  type PageRequest,
  readPageWithTotal,
  storedTime,
  updateOwned,
} from '@tattoo-marketplace/collections';

export const FlashListing = z.object({
  id: z.string().describe('The id of the listing.'),
  artistId: z.string().optional().describe('The artist who owns the listing.'),
  artistName: z.string().optional().describe("The artist's name."),
  artistUsername: z.string().optional().describe("The artist's user name."),
  source: z.string().optional().describe('The origin of the design, for example `social`.'),
  sourceData: z
    .object({
      socialId: z.string().optional().describe('The id of the post.'),
      permalink: z.string().optional().describe('The address of the post.'),
      url: z.string().optional().describe('The address of the image.'),
      caption: z.string().optional().describe('The text of the post.'),
      thumbnailUrl: z.string().optional().describe('The address of a small image.'),
      storageRef: z.string().optional().describe('The path of the image in the storage.'),
      mediaType: z.string().optional().describe('The type of media, for example `IMAGE`.'),
      urlRefreshedAt: storedTime.optional().describe('When `url` was last renewed, in ms, UTC.'),
      fileSize: safeInteger.optional().describe('The size of the image, in bytes.'),
    })
    .optional()
    .describe('Details of the source.'),
  price: z
    .object({
      type: z.string().optional().describe('The pricing method, for example `fixed`.'),
      amount: z.string().optional().describe('The amount, as a decimal string.'),
    })
    .optional()
    .describe('The price of the design.'),
  size: z
    .object({
      unit: z.string().optional().describe('The unit of length, for example `in`.'),
      minSize: z.string().optional().describe('The smallest size, as a decimal string.'),
      maxSize: z.string().optional().describe('The largest size, as a decimal string.'),
    })
    .optional()
    .describe('The sizes in which the design is offered.'),
  styles: z.array(z.string()).optional().describe('Tattoo styles.'),
  isAvailable: z.boolean().optional().describe('True if the listing can be booked.'),
  isVisible: z.boolean().optional().describe('True if the listing is public.'),
  createdAt: storedTime.optional().describe('When the listing was created, in ms, UTC.'),
  updatedAt: storedTime
    .optional()
    .describe(
      'When the listing was last changed, in ms, UTC. May decrease by a few ms between updates, because server clocks differ.',
    ),
  order: z.number().optional().describe("The position in the artist's listings."),
  sessionDuration: z
    .object({ blocks: z.number().optional().describe('The number of time blocks.') })
    .optional()
    .describe('The duration of the work.'),
  viewCount: safeInteger.optional().describe('The number of views.'),
  bookmarkCount: safeInteger.optional().describe('The number of bookmarks.'),
  tags: z.array(z.string()).optional().describe('Free-form tags.'),
  notes: z.string().optional().describe("The artist's notes."),
});

/** A listing in a response. The fields by which the list is filtered are required. */
export const VisibleListing = FlashListing.required({ artistId: true, isVisible: true }).meta({
  id: 'FlashListing',
  description: 'A pre-drawn design that can be booked.',
});

export const listings = defineCollection('flash', {
  description: 'Flash listings: pre-drawn designs that can be booked.',
  schema: FlashListing,
  owner: 'artistId',
});
const visibleListings = listings.definePagedList({
  item: VisibleListing,
  filterBy: ['artistId'],
  where: { isVisible: true },
  orderBy: 'order',
});

/** Lists one page of an artist's visible listings by `order`, then ID. `total` is the number on all pages. */
export async function listVisibleFlash(artistId: string, page: PageRequest) {
  const { items, ...position } = await readPageWithTotal(visibleListings, { artistId }, page);
  return { flash: items, ...position };
}

/** A listing's new position. */
interface OrderUpdate {
  readonly id: string;
  readonly order: number;
}

/**
 * Changes the `order` of the caller's own listings, all or none. Throws `not-found` if a listing does not exist, and
 * `permission-denied` if one belongs to another artist.
 */
export async function reorderListings(
  updates: readonly OrderUpdate[],
  callerId: string,
): Promise<void> {
  const orderById = new Map(updates.map(({ id, order }) => [id, order]));
  const documents = updates.map(({ id }, index) => ({ [`flashUpdates[${index}].id`]: id }));
  await updateOwned({ collection: listings, documents, callerId }, ({ id }) => ({
    order: orderById.get(id),
  }));
}

/**
 * Makes the caller's own listings available or unavailable, all or none, and returns their number. Throws like
 * `reorderListings`.
 */
export async function setListingsAvailable(
  flashIds: readonly string[],
  isAvailable: boolean,
  callerId: string,
): Promise<number> {
  const documents = listUniqueReferences('flashIds', flashIds);
  await updateOwned({ collection: listings, documents, callerId }, () => ({ isAvailable }));
  return documents.length;
}
