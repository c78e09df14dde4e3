/** What docs/decisions.md says, where no test of the service does. */
import type * as z from 'zod';
import { FlashListing } from '../../functions/src/flash/flashListing.ts';
import { GalleryPhoto } from '../../functions/src/gallery/galleryPhoto.ts';
import { deployedEndpoints } from '../../dev/shared/deployMap.ts';

test('pages have up to 50 elements, 20 by default; of messages up to 100, 50 by default', () => {
  const sizes = deployedEndpoints.flatMap(({ functionId, endpoint: { declaration } }) => {
    const limit = declaration.query?.shape.limit as z.ZodType | undefined;
    if (limit === undefined) return [];
    const accepted = [1, 50, 51, 100, 101].filter((size) => limit.safeParse(String(size)).success);
    return [[functionId, [limit.parse(undefined), accepted.at(-1)]]];
  });

  // Other lists may have other sizes.
  expect(Object.fromEntries(sizes)).toMatchObject({
    'conversations-getMessages': [50, 100],
    'flash-listByArtist': [20, 50],
    'gallery-listByArtist': [20, 50],
  });
});

test('a field for which the specification lists one value may have any text', () => {
  const sourceData = { mediaType: 'REEL' };
  const listing = { id: 'a', source: 'upload', sourceData, price: { type: 'hourly' } };
  const photo = { id: 'a', source: 'upload', sourceData };

  expect(FlashListing.parse({ ...listing, size: { unit: 'cm' } })).toMatchObject(listing);
  expect(GalleryPhoto.parse(photo)).toEqual(photo);
});
