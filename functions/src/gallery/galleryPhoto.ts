import * as z from 'zod';
import { firestore } from '../firestore.ts';
import { readCountedPage, type PageRequest } from '../http/paging.ts';
import { namedOnce } from '../idList.ts';
import { readNamed, requireOwned } from '../ownership.ts';
import { readDocument, time } from '../storedDocument.ts';
import { visibleByOrder } from '../visibleList.ts';
import { inTransaction } from '../transaction.ts';

/** A photo in an artist's gallery. */
export const GalleryPhoto = z
  .object({
    id: z.string().describe('The id of the photo.'),
    artistId: z.string().optional().describe('The artist who owns the photo.'),
    artistName: z.string().optional().describe("The artist's name."),
    artistUsername: z.string().optional().describe("The artist's user name."),
    url: z.string().optional().describe('The address of the image.'),
    thumbnailUrl: z.string().optional().describe('The address of a small image.'),
    source: z.string().optional().describe('Where the photo came from, for example `social`.'),
    order: z.number().optional().describe("The position in the artist's gallery."),
    uploadedAt: time.optional().describe('When the photo was uploaded, in ms, UTC.'),
    isVisible: z.boolean().optional().describe('Whether the photo is shown.'),
    sourceData: z
      .object({
        socialId: z.string().optional().describe('The id of the post.'),
        permalink: z.string().optional().describe('The address of the post.'),
        caption: z.string().optional().describe('The text of the post.'),
        originalFileName: z.string().optional().describe('The name of the uploaded file.'),
        storageRef: z.string().optional().describe('Where the image is stored.'),
        originalUrl: z.string().optional().describe('The address of the image at the source.'),
        mediaType: z.string().optional().describe('The kind of media, for example `IMAGE`.'),
        urlRefreshedAt: time.optional().describe('When `url` was last renewed, in ms, UTC.'),
        fileSize: z.number().optional().describe('The size of the image, in bytes.'),
      })
      .optional()
      .describe('What is known of the source.'),
    tags: z.array(z.string()).optional().describe('Free tags.'),
  })
  .meta({ id: 'GalleryPhoto', description: "A photo in an artist's gallery." });
export type GalleryPhoto = z.infer<typeof GalleryPhoto>;

/** One page of the photos that an artist shows, by `order`, then id; `total` counts them all. */
export async function listVisible(artistId: string, page: PageRequest) {
  const { documents, ...position } = await readCountedPage(
    visibleByOrder(firestore().collection('gallery'), artistId),
    page,
  );
  return { photos: documents.map((document) => readDocument(GalleryPhoto, document)), ...position };
}

/**
 * Deletes photos of the caller's, all of them or none. Throws `not-found` or `permission-denied` where one is missing or
 * another artist's.
 */
export async function deletePhotos(photoIds: readonly string[], caller: string): Promise<void> {
  const photos = firestore().collection('gallery');
  const named = namedOnce('photoIds', photoIds);
  let found = false;
  await inTransaction(async (attempt) => {
    const documents = await readNamed(attempt, photos, named);
    // An earlier attempt deleted them: only the answer to its commit was lost.
    if (found && documents.every(({ exists }) => !exists)) return;
    requireOwned(documents, named, caller);
    found = true;
    for (const { id } of named) attempt.delete(photos.doc(id));
  });
}
