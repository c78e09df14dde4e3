/**
 * Tests of the client's types, which `npm run typecheck` checks under every strict option. This file never runs. If a
 * line below `@ts-expect-error` compiles, the comment becomes an error.
 */
import {
  pages,
  type Availability,
  type ErrorCode,
  type MarketplaceClient,
  type MarketplaceError,
  type Output,
} from '@tattoo-marketplace/client';

export async function misuse(
  api: MarketplaceClient,
  error: MarketplaceError,
  cursor: string | undefined,
): Promise<void> {
  // @ts-expect-error The body is required.
  await api.gallery.removePhotos();
  // @ts-expect-error A field of the body is missing.
  await api.flash.reorder({});
  // @ts-expect-error The path parameter is required.
  await api.flash.listByArtist({ limit: 5 });
  // @ts-expect-error The query parameter is required.
  await api.conversations.getMessages({});
  // @ts-expect-error This operation has no input.
  await api.notifications.resetNewNotifications({ uid: 'a' });
  // @ts-expect-error This operation has no pages.
  pages(api.artists.list, {});
  // @ts-expect-error Moonday is not a day.
  await api.availability.updateAvailability({ ...schedule, weeklySlots: { Moonday: [] } });
  // @ts-expect-error A specific range needs its end.
  await api.availability.updateAvailability({ ...schedule, dateRangeType: 'specific' });
  // Apps use codes as keys for their own messages. Later versions may add codes.
  const messages: Partial<Record<ErrorCode, string>> = { 'not-found': 'Gone.', 'some-day': '' };
  messages[error.code] satisfies string | undefined;
  // An optional parameter may be undefined, as the cursor of the first page is.
  const page = await api.flash.listByArtist({ id: 'a', cursor });
  // @ts-expect-error The last page has no next cursor.
  page.nextCursor satisfies string;
  if (page.hasMore) page.nextCursor satisfies string;
  else page.nextCursor satisfies undefined;
  for (const { artistId, isVisible, order } of page.flash) {
    ({ artistId, isVisible }) satisfies { artistId: string; isVisible: boolean };
    // @ts-expect-error A listing may lack its order.
    order satisfies number;
  }
  const { updatedCount } = await api.flash.markAsAvailable({ flashIds: ['a'] });
  updatedCount satisfies number;
  const artists: Output<'artistsList'> = await api.artists.list();
  artists.map(({ userType }) => userType) satisfies ('artist' | 'client' | 'studio')[];
  for await (const { photos } of pages(api.gallery.listByArtist, { artistId: 'a' })) {
    photos satisfies readonly { artistId: string; isVisible: boolean }[];
  }
}

const schedule: Availability = {
  artistId: 'a',
  availabilityId: 'b',
  isActive: true,
  weeklySlots: { Monday: [] },
  dateRangeType: 'indefinitely',
  effectiveFrom: 1,
  createdAt: 1,
  updatedAt: 1,
};
