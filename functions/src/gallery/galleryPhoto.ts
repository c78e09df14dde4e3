import * as z from 'zod';
import { safeInteger } from '@tattoo-marketplace/endpoints';
import {
  defineCollection,
  deleteOwned,
  listUniqueReferences,
  type PageRequest,
  readPageWithTotal,
  storedTime,
} from '@tattoo-marketplace/collections';

export const GalleryPhoto = z.object({
  id: z.string().describe('The id of the photo.'),
  artistId: z.string().optional().describe('The artist who owns the photo.'),
  artistName: z.string().optional().describe("The artist's name."),
  artistUsername: z.string().optional().describe("The artist's user name."),
  url: z.string().optional().describe('The address of the image.'),
  thumbnailUrl: z.string().optional().describe('The address of a small image.'),
  source: z.string().optional().describe('The origin of the photo, for example `social`.'),
  order: z.number().optional().describe("The position in the artist's gallery."),
  uploadedAt: storedTime.optional().describe('When the photo was uploaded, in ms, UTC.'),
  isVisible: z.boolean().optional().describe('True if the photo is public.'),
  sourceData: z
    .object({
      socialId: z.string().optional().describe('The id of the post.'),
      permalink: z.string().optional().describe('The address of the post.'),
      caption: z.string().optional().describe('The text of the post.'),
      originalFileName: z.string().optional().describe('The name of the uploaded file.'),
      storageRef: z.string().optional().describe('The path of the image in the storage.'),
      originalUrl: z.string().optional().describe('The address of the image at the source.'),
      mediaType: z.string().optional().describe('The type of media, for example `IMAGE`.'),
      urlRefreshedAt: storedTime.optional().describe('When `url` was last renewed, in ms, UTC.'),
      fileSize: safeInteger.optional().describe('The size of the image, in bytes.'),
    })
    .optional()
    .describe('Details of the source.'),
  tags: z.array(z.string()).optional().describe('Free-form tags.'),
});

/** A photo in a response. The fields by which the list is filtered are required. */
export const VisiblePhoto = GalleryPhoto.required({ artistId: true, isVisible: true }).meta({
  id: 'GalleryPhoto',
  description: "A photo in an artist's gallery.",
});

export const photos = defineCollection('gallery', {
  description: "Photos of an artist's work.",
  schema: GalleryPhoto,
  owner: 'artistId',
});
const visiblePhotos = photos.definePagedList({
  item: VisiblePhoto,
  filterBy: ['artistId'],
  where: { isVisible: true },
  orderBy: 'order',
});

/** Lists one page of an artist's visible photos by `order`, then ID. `total` is the number on all pages. */
export async function listVisiblePhotos(artistId: string, page: PageRequest) {
  const { items, ...position } = await readPageWithTotal(visiblePhotos, { artistId }, page);
  return { photos: items, ...position };
}

/**
 * Deletes the caller's own photos, all or none. Throws `not-found` if a photo does not exist, and `permission-denied`
 * if one belongs to another artist.
 */
export async function deletePhotos(photoIds: readonly string[], callerId: string): Promise<void> {
  const documents = listUniqueReferences('photoIds', photoIds);
  await deleteOwned({ collection: photos, documents, callerId });
}
